"""The people's side of the gate: open, answer, deny, send back, revoke. Each is one locked transaction."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import ClassVar
from uuid import UUID

from django.db import transaction

from riskgate.core import challenges as papers
from riskgate.core.challenges import Paper
from riskgate.core.errors import RiskgateError
from riskgate.core.events import Event
from riskgate.core.lifecycle import ReasonCode, Status
from riskgate.core.policy import Policy, Requirement
from riskgate.core.quorum import complete
from riskgate.core.roles import Permission, allows
from riskgate.services import audit, challenges, live, loading, outbox, permissions, rows, transitions
from riskgate.services.shapes import AnswerResult, Member
from riskgate.storage.models import Call, ChallengeAttempt, Vote

REASON_LIMIT = 2000


class TooEarly(RiskgateError):
    """The review time is not over; `details["ready_at"]` says when it is. The answers may be sent again then."""

    code: ClassVar[str] = "too_early"


class Incomplete(RiskgateError):
    """Something is still to be filled in; it costs no attempt, and the answers may be sent again."""

    code: ClassVar[str] = "incomplete"


class ReasonNeeded(RiskgateError):
    code: ClassVar[str] = "reason_needed"


class ReasonTooLong(RiskgateError):
    code: ClassVar[str] = "reason_too_long"


@transaction.atomic
def open(*, member: Member, call_id: UUID, now: datetime, present: bool = False) -> None:
    """This person has the review before them; with `present` they chose it, and are at it now. Raises NotFound."""
    # Starting a challenge marks it as well, under the same lock.
    call, at = rows.lock_of_team(member, call_id)
    challenges.mark_opened(member, call, at)
    if present and call.status == Status.PENDING and challenges.mark_present(member, call, at):
        live.announce(call)


def answer(
    *, member: Member, call_id: UUID, attempt_id: UUID, action_digest: str, answers: Sequence[str]
) -> AnswerResult:
    """Grades the answers; a pass is this person's vote, and the last vote that is needed approves.

    Raises NotFound, NotAllowed, Changed, TooEarly, Incomplete, AttemptClosed, Expired, WrongState.
    """
    with transaction.atomic():
        call, at = rows.lock_of_team(member, call_id)
        late = transitions.catch_up(call, at)
        if not late:
            return _grade(member, call, attempt_id, action_digest, answers, at)
    raise transitions.too_late(call)


def _grade(
    member: Member, call: Call, attempt_id: UUID, action_digest: str, answers: Sequence[str], at: datetime
) -> AnswerResult:
    policy = Policy.from_json(call.policy.document)
    votes = dict(Vote.objects.filter(call=call).values_list("seat", "user_id"))
    failed = ChallengeAttempt.objects.filter(call=call, user_id=member.user_id, passed=False).count()
    if call.status != Status.PENDING:
        raise transitions.WrongState(
            f"Somebody else was faster: this action is {call.status}.", status=call.status
        )
    may = permissions.may_decide(
        call,
        user_id=member.user_id,
        role=rows.membership(member),
        status=Status(call.status),
        voters=votes.values(),
        failed_attempts=failed,
        policy=policy,
    )
    if not may.approve:
        raise rows.NotAllowed(may.reason)
    attempt = ChallengeAttempt.objects.filter(
        id=attempt_id, call=call, user_id=member.user_id, answered_at=None, left_at=None
    ).first()
    if attempt is None:
        raise challenges.AttemptClosed("This challenge is closed. Go back to the review and start a new one.")
    challenges.check_seen(call, action_digest)
    challenges.check_seen(call, attempt.action_digest)
    ready_at = attempt.served_at + timedelta(seconds=attempt.review_seconds)
    if at < ready_at:
        seconds = -((at - ready_at) // timedelta(seconds=1))
        raise TooEarly(
            f"Read for {seconds} s more; your answers are kept.", ready_at=ready_at, seconds=seconds
        )
    held = challenges.seats_held(
        ChallengeAttempt.objects.filter(call=call), at, by_others_than=member.user_id
    )
    if attempt.seat in held or attempt.seat in votes:
        raise challenges.SeatsTaken(challenges.LOST_SEAT)
    paper = Paper.from_json(attempt.paper)
    if missing := papers.unfinished(paper, answers):
        raise Incomplete(missing)
    verdict = papers.grade(paper, answers)
    out_of_attempts = not verdict.passed and failed + 1 >= policy.attempts
    approvable = out_of_attempts and not permissions.stuck(call.team_id, [call])
    attempt.answered_at, attempt.passed = at, verdict.passed
    attempt.save(update_fields=("answered_at", "passed"))
    data = {
        "kind": attempt.kind,
        "attempt": failed + 1,
        "seat": attempt.seat,
        "right": verdict.right,
        "of": verdict.of,
        "seconds": round((at - attempt.served_at).total_seconds(), 3),
        **({"why": verdict.why} if verdict.why else {}),
    }
    kind = Event.CHALLENGE_PASSED if verdict.passed else Event.CHALLENGE_FAILED
    audit.record(audit.call_event(kind, call, actor=member.actor, at=at, data=data))
    if verdict.passed:
        _vote(member, call, attempt, at)
    else:
        live.announce(call)
        if approvable and permissions.stuck(call.team_id, [call]):
            outbox.put("action.stuck", call, at=at)
    left = policy.attempts - failed - (not verdict.passed)
    return AnswerResult(
        verdict.passed, verdict.right, verdict.of, max(left, 0), Status(call.status), verdict.why
    )


def _vote(member: Member, call: Call, attempt: ChallengeAttempt, at: datetime) -> None:
    Vote.objects.create(
        call=call,
        user_id=member.user_id,
        attempt=attempt,
        seat=attempt.seat,
        action_digest=attempt.action_digest,
        voted_at=at,
    )
    audit.record(audit.call_event(Event.VOTED, call, actor=member.actor, at=at, data={"seat": attempt.seat}))
    requirement = Requirement.from_json(call.requirement)
    able = permissions.deciders(call.team_id)
    votes = Vote.objects.filter(call=call).values_list("seat", "user_id")
    filled = [seat for seat, voter in votes if voter in able]  # who may no longer decide counts no longer
    call.approvals = len(filled)
    if complete(requirement, filled):
        transitions.move(
            call, Status.APPROVED, actor=member.actor, at=at, reason_code=ReasonCode.APPROVED,
            data={"approvals": call.approvals, "kind": requirement.kind},
        )  # fmt: skip
    else:
        call.revision += 1
        call.save(update_fields=("approvals", "revision"))
        live.announce(call)


def deny(*, member: Member, call_id: UUID, reason: str = "") -> None:
    """One click; one deny decides. Raises NotFound, NotAllowed, Expired, WrongState."""
    _decide(member, call_id, Status.DENIED, ReasonCode.DENIED, reason, _must_be_able_to_deny)


def send_back(*, member: Member, call_id: UUID, reason: str) -> None:
    """Asks the agent to change the action; the reason is for the agent. Raises ReasonNeeded and as `deny`."""
    if not reason.strip():
        raise ReasonNeeded("Say what the agent should change: it reads your sentence.")
    _decide(member, call_id, Status.RETURNED, ReasonCode.RETURNED, reason, _must_be_able_to_deny)


def revoke(*, member: Member, call_id: UUID, reason: str = "") -> None:
    """Takes an approval back before it is claimed. Raises as `deny`."""
    _decide(member, call_id, Status.REVOKED, ReasonCode.REVOKED, reason, _must_be_able_to_revoke)


def _decide(
    member: Member,
    call_id: UUID,
    target: Status,
    code: ReasonCode,
    reason: str,
    check: Callable[[Member, Call, datetime], None],
) -> None:
    reason = reason.strip()
    if len(reason) > REASON_LIMIT or "\x00" in reason:
        raise ReasonTooLong(f"Keep the reason to {REASON_LIMIT} characters.")
    with transaction.atomic():
        call, at = rows.lock_of_team(member, call_id)
        late = transitions.catch_up(call, at)
        if not late:
            check(member, call, at)
            transitions.move(call, target, actor=member.actor, at=at, reason_code=code, message=reason)
    if late:
        raise transitions.too_late(call)


def _must_be_able_to_deny(member: Member, call: Call, at: datetime) -> None:
    if call.status != Status.PENDING:
        raise transitions.WrongState(
            f"Somebody else was faster: this action is {call.status}.", status=call.status
        )
    may = permissions.may_decide(
        call,
        user_id=member.user_id,
        role=rows.membership(member),
        status=loading.shown_status(call, at),
        voters=(),
        failed_attempts=0,
        policy=Policy.from_json(call.policy.document),
    )
    if not may.deny:
        raise rows.NotAllowed(may.reason)


def _must_be_able_to_revoke(member: Member, call: Call, at: datetime) -> None:
    if not allows(rows.membership(member), Permission.REVOKE):
        raise rows.NotAllowed("Only operators and admins of the team take an approval back.")
