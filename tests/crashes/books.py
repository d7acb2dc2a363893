"""Whether the books agree: what people and agents were told, the rows, and the events that led there."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import connection, transaction

from riskgate.core.events import Event
from riskgate.core.lifecycle import ALLOWED, Status
from riskgate.services import rows
from riskgate.services.transitions import EVENTS
from riskgate.storage.models import AuditEvent, Call, Grant, IdempotencyKey, Outbox, Vote
from tests.crashes.ledger import Fact, Ledger

STATUS_OF = {event.value: status for status, event in EVENTS.items()}
LATE = timedelta(seconds=12)
"""By how much the clock may be behind, at a moment when everything has been running again."""
PORTION = 2_000


@dataclass(frozen=True)
class Entry:
    """One call as the books have it."""

    call: dict[str, Any]
    chain: tuple[Status, ...]
    """Its statuses from the submission on, as the events tell them."""
    people: dict[Status, str]
    """Who brought it to that status, by id."""
    granted: tuple[str, ...]
    """The grants that the events name."""
    voters: tuple[str, ...]


def disagreements(ledger: Ledger, facts: Sequence[Fact], since: datetime | None) -> list[str]:
    """Every way in which the database and the ledger differ, in sentences.

    Looked at are the calls with an event since that time and those of `facts`; with None, everything.
    """
    told: dict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        told[fact.call].append(fact)
    found: list[str] = []
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        moment = rows.clock()
        touched = AuditEvent.objects.exclude(call_id=None)
        if since is not None:
            touched = touched.filter(at__gte=since)
        ids = sorted({str(each) for each in touched.values_list("call_id", flat=True).distinct()} | set(told))
        for start in range(0, len(ids), PORTION):
            portion = ids[start : start + PORTION]
            entries = _entries(portion)
            for each in portion:
                found += _facts_differ(entries.get(each), each, told[each])
            found += _keys_differ([fact for each in portion for fact in told[each] if fact.key])
            for entry in entries.values():
                found += _chain_is_broken(ledger, entry)
        found += _messages_differ(ids, since)
        found += _stuck(moment)
    return found


def _entries(ids: Collection[str]) -> dict[str, Entry]:
    columns = ("id", "status", "revision", "approvals", "function_name", "metadata", "agent_id")
    calls = {str(each["id"]): each for each in Call.objects.filter(id__in=ids).values(*columns)}
    events: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for event in AuditEvent.objects.filter(call_id__in=ids).order_by("at", "id").values():
        events[str(event["call_id"])].append(event)
    votes: dict[str, list[str]] = defaultdict(list)
    for call_id, user_id in Vote.objects.filter(call_id__in=ids).values_list("call_id", "user_id"):
        votes[str(call_id)].append(str(user_id))
    grants = Grant.objects.filter(call_id__in=ids).values_list("call_id", "id")
    granted: dict[str, list[str]] = defaultdict(list)
    for call_id, grant_id in grants:
        granted[str(call_id)].append(str(grant_id))
    return {
        each: _entry(call, events[each], votes[each], granted[each])
        for each, call in calls.items()
    }  # fmt: skip


def _entry(
    call: dict[str, Any], events: Iterable[dict[str, Any]], voters: Iterable[str], granted: Iterable[str]
) -> Entry:
    events = list(events)
    moves = [event for event in events if event["kind"] in STATUS_OF]
    chain = [STATUS_OF[event["kind"]] for event in moves]
    people = {
        STATUS_OF[event["kind"]]: str(event["actor_id"]) for event in moves if event["actor_kind"] == "user"
    }
    if not moves or not (moves[0]["data"].get("auto") or moves[0]["data"].get("refused")):
        chain.insert(0, Status.PENDING)
    call["submitted"] = sum(event["kind"] == Event.SUBMITTED for event in events)
    call["scored"] = sum(event["kind"] == Event.SCORED for event in events)
    call["votes_told"] = sorted(str(event["actor_id"]) for event in events if event["kind"] == Event.VOTED)
    call["grants_told"] = [
        event["data"].get("grant") for event in moves if STATUS_OF[event["kind"]] is Status.EXECUTING
    ]
    return Entry(call, tuple(chain), people, tuple(granted), tuple(sorted(voters)))


def _facts_differ(entry: Entry | None, call_id: str, facts: Sequence[Fact]) -> Iterator[str]:
    if entry is None:
        yield f"{call_id} was acknowledged as {[fact.what for fact in facts]}, and there is no such action."
        return
    jtis = {fact.jti for fact in facts if fact.jti}
    if len(jtis) > 1:
        yield f"{call_id} was granted {len(jtis)} times: {sorted(jtis)}."
    for fact in facts:
        if fact.sent and entry.call["metadata"] != {"number": fact.sent}:
            yield f"{call_id} was submitted as number {fact.sent} and is stored as {entry.call['metadata']}."
        if fact.what == "granted":
            if fact.jti not in entry.granted:
                yield f"{call_id}: somebody holds the grant {fact.jti}; the books have {entry.granted}."
        elif fact.what == "voted":
            if fact.by not in entry.voters:
                yield f"{call_id}: the acknowledged vote of {fact.by} is gone."
        elif fact.what == Status.EXPIRED and not fact.by:
            if entry.chain[-1] not in (Status.PENDING, Status.APPROVED, Status.EXPIRED):
                yield f"{call_id} was shown as expired and is {entry.chain[-1]}."
        elif Status(fact.what) not in entry.chain:
            yield f"{call_id}: acknowledged as {fact.what}, and the events know only {entry.chain}."
        elif fact.by and entry.people.get(Status(fact.what)) != fact.by:
            yield f"{call_id}: {fact.by} {fact.what} it; the events name {entry.people}."


def _keys_differ(facts: Sequence[Fact]) -> Iterator[str]:
    kept = {
        row.key: str(row.subject)
        for row in IdempotencyKey.objects.filter(key__in=[fact.key for fact in facts])
    }
    for fact in facts:
        stands_for = fact.jti or fact.call
        if kept.get(fact.key) != stands_for:
            yield f"The key {fact.key} stands for {kept.get(fact.key)}; {stands_for} was acknowledged under it."


def _chain_is_broken(ledger: Ledger, entry: Entry) -> Iterator[str]:
    call, chain = entry.call, entry.chain
    who = f"{call['id']} ({' → '.join(chain)})"
    if (call["submitted"], call["scored"]) != (1, 1):
        yield f"{who} was submitted {call['submitted']} times and scored {call['scored']} times."
    for move in zip((None, *chain), chain, strict=False):
        if move not in ALLOWED:
            yield f"{who}: there is no move from {move[0]} to {move[1]}."
    if call["status"] != chain[-1]:
        yield f"{who}: the row says {call['status']}."
    if call["votes_told"] != list(entry.voters) or call["approvals"] != len(entry.voters):
        yield f"{who}: {call['approvals']} approvals, votes of {entry.voters}, events of {call['votes_told']}."
    by_votes = Status.PENDING in chain and Status.APPROVED in chain
    changes = len(chain) + len(entry.voters) - by_votes
    if call["revision"] != changes:
        yield f"{who}: the revision is {call['revision']} after {changes} changes."
    if list(entry.granted) != call["grants_told"] or len(entry.granted) != chain.count(Status.EXECUTING):
        yield f"{who}: the grants are {entry.granted}, and the events name {call['grants_told']}."
    for status in entry.people:
        if not ledger.attempted(call["id"], status):
            yield f"{who}: {entry.people[status]} never {status} it."


def _messages_differ(ids: Sequence[str], since: datetime | None) -> Iterator[str]:
    """Each change that the outside is told of has its one row, which is delivered or waits."""
    told = Outbox.objects.all()
    events = AuditEvent.objects.filter(kind__in=(Event.SUBMITTED, *STATUS_OF))
    if since is not None:
        told, events = told.filter(created_at__gte=since), events.filter(at__gte=since)
    messages: Counter[tuple[str, str]] = Counter()
    for topic, payload, failed_at in told.values_list("topic", "payload", "failed_at"):
        messages[payload["call"], topic] += 1
        if failed_at is not None:
            yield f"The message {topic} about {payload['call']} was given up."
    changes: Counter[tuple[str, str]] = Counter()
    auto: set[str] = set()
    for call_id, kind, data in events.values_list("call_id", "kind", "data"):
        if data.get("auto"):
            auto.add(str(call_id))
        elif kind == Event.SUBMITTED:
            changes[str(call_id), "action.pending"] += 1
        else:
            changes[str(call_id), f"action.{STATUS_OF[kind]}"] += 1
    for each in auto:
        changes.pop((each, "action.pending"), None)
    for call_id, topic in sorted((messages - changes) + (changes - messages)):
        yield (
            f"{call_id}: {changes[call_id, topic]} events of {topic}, and {messages[call_id, topic]} "
            "messages about it."
        )


def _stuck(moment: datetime) -> Iterator[str]:
    limit = moment - LATE
    for status, column in (
        (Status.PENDING, "decide_by"),
        (Status.APPROVED, "use_by"),
        (Status.EXECUTING, "outcome_by"),
    ):
        late = Call.objects.filter(status=status, **{f"{column}__lt": limit}).count()
        if late:
            yield f"{late} actions are {status} long after {column}."
    waiting = Outbox.objects.filter(delivered_at=None, failed_at=None, due_at__lt=limit).count()
    if waiting:
        yield f"{waiting} messages wait that were due {LATE.total_seconds():.0f} s ago."
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pid, state, query FROM pg_stat_activity WHERE datname = current_database() "
            "AND pid <> pg_backend_pid() AND state <> 'idle' AND xact_start < clock_timestamp() - %s",
            [LATE],
        )
        for pid, state, query in cursor.fetchall():
            yield f"The backend {pid} is {state} for long: {query[:80]}"
