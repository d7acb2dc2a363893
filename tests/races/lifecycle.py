"""Hypothesis plays people, an agent and the clock; the model says before each step what has to come of it."""

from datetime import timedelta
from functools import partial
from typing import Any
from uuid import uuid4

from django.db.models import F
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule, run_state_machine_as_test

from riskgate.core.lifecycle import Status
from riskgate.services import (
    agents,
    approvals,
    challenges,
    gate,
    grants,
    housekeeping,
    intake,
    sessions,
    withdrawals,
)
from riskgate.services.rows import NotFound
from riskgate.services.shapes import CallView
from riskgate.storage.models import Call, ChallengeAttempt
from tests.people import (
    CRITICAL,
    HIGH,
    LOW,
    MEDIUM,
    World,
    answer,
    right_answers,
    start,
    submit,
    utcnow,
    wrong_answers,
)
from tests.races.model import Life, Paper
from tests.races.watching import POLICIES, TICK, Watched

AT_A_TIME, IN_ALL = 3, 10
"""Few calls, so that what happens happens to the same ones."""

PEOPLE = st.sampled_from(["alice", "bob", "carol", "alice", "bob", "carol", "grace", "dave", "erin", "eve"])
ONLOOKER = st.sampled_from(["dave", "erin"])
ENDS = st.sampled_from([False, False, True])
"""Whether a step is taken that ends a call's life: seldom, or nobody would live to see much."""

FIELDS = st.sampled_from([LOW, MEDIUM, HIGH, CRITICAL, LOW, HIGH, CRITICAL])
PICK = st.integers(0, 11)


living_calls = precondition(lambda self: self.alive)


class Lives(Watched):
    """Every step that somebody may take."""

    # ------------------------------------------------------------------ the agent

    @initialize(policy=st.integers(0, len(POLICIES) - 1), wants=st.lists(FIELDS, min_size=2, max_size=3))
    def begin(self, policy: int, wants: list[dict[str, Any]]) -> None:
        self.publish(policy)
        for fields in wants:
            self.submit(fields, None)

    @precondition(lambda self: len(self.alive) < AT_A_TIME and len(self.calls) < IN_ALL)
    @rule(fields=FIELDS, run=st.sampled_from([None, "run-1", "run-2"]))
    def submit(self, fields: dict[str, Any], run: str | None) -> None:
        refusal = intake.SessionClosed if run in self.closed else None
        call = self._same(refusal, lambda: submit(self.world, fields, session=run))
        if call is None:
            return
        policy = POLICIES[self.policy]
        assert call.requirement == policy.requirements[call.level]
        if run is not None:
            self.runs[run] = call.session_id
        self.calls.append(call)
        self.lives.append(Life(call.level, call.requirement, policy, self.now))

    @living_calls
    @rule(pick=PICK, tampered=st.booleans())
    def claim(self, pick: int, tampered: bool) -> None:
        call, life = self._picked(pick)
        for right in (False, True) if tampered else (True,):
            digest = call.action_digest if right else "sha256:" + "0" * 64
            self._same(
                life.claim(self.now, right=right, paused=self.paused),
                partial(
                    grants.claim,
                    principal=self.world.agent,
                    call_id=call.id,
                    action_digest=digest,
                    idempotency=None,
                    now=utcnow(),
                ),
            )

    @living_calls
    @rule(pick=PICK, succeeded=st.booleans())
    def report(self, pick: int, succeeded: bool) -> None:
        call, life = self._picked(pick)
        self._same(
            life.report(self.now, Status.SUCCEEDED if succeeded else Status.FAILED),
            lambda: gate.report_outcome(
                principal=self.world.agent, call_id=call.id, succeeded=succeeded, output=None, error=None,
                idempotency=None, now=utcnow(),
            ),
        )  # fmt: skip

    @living_calls
    @rule(pick=PICK, own=ENDS)
    def cancel(self, pick: int, own: bool) -> None:
        """Another agent finds nothing to cancel; then, sometimes, its own does."""
        call, life = self._picked(pick)
        tries = [(self.world.other_agent, NotFound)]
        for agent, refusal in [*tries, (self.world.agent, None)] if own else tries:
            self._same(
                refusal or life.cancel(self.now),
                partial(gate.cancel, principal=agent, call_id=call.id, idempotency=None, now=utcnow()),
            )

    @precondition(lambda self: self.runs)
    @rule()
    def close_a_session(self) -> None:
        name, session_id = sorted(self.runs.items())[0]
        sessions.close(principal=self.world.agent, session_id=session_id, now=utcnow())
        self.closed.add(name)

    # ------------------------------------------------------------------ people

    def _starts(self, call: CallView, life: Life, person: str) -> None:
        attempt = self._same(
            life.start(person, self.now, paused=self.paused), lambda: start(self.world.members[person], call)
        )
        if attempt is not None:
            self.attempts[call.id, person] = attempt

    def _answers(self, call: CallView, life: Life, person: str, right: bool) -> None:
        attempt = self.attempts.get((call.id, person))
        right = right or attempt is None or attempt.kind == "confirm"  # which cannot be answered wrongly
        answers = [] if attempt is None else right_answers(attempt) if right else wrong_answers(attempt)
        refusal = life.answer(person, self.now, right=right, paused=self.paused)
        result = self._same(
            refusal,
            lambda: answer(self.world.members[person], call, attempt, answers)
            if attempt is not None
            else approvals.answer(
                member=self.world.members[person], call_id=call.id, attempt_id=uuid4(),
                action_digest=call.action_digest, answers=(),
            ),
        )  # fmt: skip
        if result is not None:
            assert (result.passed, result.status) == (right, life.status)

    @living_calls
    @rule(pick=PICK, person=PEOPLE)
    def start(self, pick: int, person: str) -> None:
        self._starts(*self._picked(pick), person)

    @living_calls
    @rule(pick=PICK, person=PEOPLE)
    def start_and_answer_at_once(self, pick: int, person: str) -> None:
        call, life = self._picked(pick)
        self._starts(call, life, person)
        self._answers(call, life, person, right=True)

    @living_calls
    @rule(pick=PICK, person=PEOPLE, right=st.booleans())
    def answer(self, pick: int, person: str, right: bool) -> None:
        self._answers(*self._picked(pick), person, right)

    @living_calls
    @rule(pick=PICK, people=st.lists(PEOPLE, min_size=1, max_size=3), right=st.booleans())
    def look_long_and_answer(self, pick: int, people: list[str], right: bool) -> None:
        """One after the other; who fails tries again."""
        call, life = self._picked(pick)
        for person in people:
            self._starts(call, life, person)
            paper: Paper | None = life.papers.get(person)
            if paper is not None:
                paper.served -= TICK
                own = ChallengeAttempt.objects.filter(
                    call_id=call.id, user_id=self.world.members[person].user_id
                )
                own.update(served_at=F("served_at") - timedelta(seconds=TICK))
            self._answers(call, life, person, right)
            if not right:
                self._starts(call, life, person)

    @living_calls
    @rule(pick=PICK, person=PEOPLE)
    def leave(self, pick: int, person: str) -> None:
        call, life = self._picked(pick)
        member = self.world.members[person]
        self._same(life.leave(person), lambda: challenges.leave(member=member, call_id=call.id, now=utcnow()))

    @living_calls
    @rule(pick=PICK, person=PEOPLE, onlooker=ONLOOKER, back=st.booleans(), ends=ENDS)
    def deny_or_send_back(self, pick: int, person: str, onlooker: str, back: bool, ends: bool) -> None:
        call, life = self._picked(pick)
        target = Status.RETURNED if back else Status.DENIED
        step = partial(approvals.send_back, reason="Take fewer.") if back else approvals.deny
        for name in (onlooker, person)[: 1 + ends]:
            member = self.world.members[name]
            self._same(life.decide(name, self.now, target), partial(step, member=member, call_id=call.id))

    @living_calls
    @rule(pick=PICK, person=PEOPLE, onlooker=ONLOOKER, withdrawn=st.booleans(), ends=ENDS)
    def revoke_or_withdraw(self, pick: int, person: str, onlooker: str, withdrawn: bool, ends: bool) -> None:
        call, life = self._picked(pick)
        step, says = (withdrawals.withdraw, life.withdraw) if withdrawn else (approvals.revoke, life.revoke)
        for name in (onlooker, person)[: 1 + ends]:
            member = self.world.members[name]
            self._same(says(name, self.now), partial(step, member=member, call_id=call.id))

    @rule(paused=st.sampled_from([False, False, False, True]))
    def pause_or_resume(self, paused: bool) -> None:
        step = agents.pause if paused else agents.resume
        step(member=self.world.alice, agent_id=self.world.agent.agent_id, now=utcnow())
        self.paused = paused

    @rule(policy=st.integers(0, len(POLICIES) - 1))
    def publish(self, policy: int) -> None:
        self.policy = policy
        self._publish()

    # ------------------------------------------------------------------ the clock

    @rule(ticks=st.sampled_from([1, 1, 1, 1, 1, 3, 9]))
    def time_passes(self, ticks: int) -> None:
        """Every time that is still to come is so much nearer."""
        by = timedelta(seconds=TICK * ticks)
        self.now += TICK * ticks
        Call.objects.update(
            decide_by=F("decide_by") - by, use_by=F("use_by") - by, outcome_by=F("outcome_by") - by
        )
        ChallengeAttempt.objects.update(served_at=F("served_at") - by, lease_until=F("lease_until") - by)

    @rule()
    def sweep(self) -> None:
        moved = sum(life.settle(self.now) is not None for life in self.lives)
        assert housekeeping.expire(now=utcnow()) == moved
        challenges.free_ended(now=utcnow())


def run_lives(world: World, lives: int, *, steps: int) -> None:
    """Plays so many lives of so many steps. Raises at the first that goes another way, with its shortest form."""
    Lives.world = world
    run_state_machine_as_test(
        Lives,
        settings=settings(
            max_examples=lives,
            stateful_step_count=steps,
            deadline=None,
            database=None,
            phases=(Phase.generate, Phase.shrink),
            suppress_health_check=list(HealthCheck),
        ),
    )
