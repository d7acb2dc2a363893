"""The team in which stories are played, and what is made for many rounds at a time."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from django.db.models import F, Max

from riskgate.core.levels import Level
from riskgate.core.policy import BALANCED, Requirement, Seat
from riskgate.core.roles import Role
from riskgate.services import gate, policies
from riskgate.services.shapes import AttemptView, CallView, Member, Submission
from riskgate.storage.models import ChallengeAttempt, Outbox
from riskgate.storage.models.fields import uuid7
from tests.people import World, make_world, start, utcnow

THREE = Requirement("multi_party", tuple(Seat("confirm", 3) for _ in range(3)))
RACING = replace(BALANCED, requirements={**BALANCED.requirements, Level.HIGH: THREE})
"""As every team's first policy, but HIGH takes three people who look at it for three seconds each."""
CALM = replace(
    RACING, requirements={**RACING.requirements, Level.MEDIUM: Requirement("quiz", (Seat("quiz", 10),))}
)
"""The same, but MEDIUM takes a quiz."""


class Ground:
    """Alice's team, with what the stories make in it."""

    def __init__(self) -> None:
        self.world: World = make_world()
        self.outbox_mark = 0

    @property
    def deciders(self) -> list[Member]:
        return [member for name, member in self.world.members.items() if name != "eve" and _decides(member)]

    def begin(self) -> None:
        """A story begins: whatever another one has left, the policy is the usual one."""
        policies.publish(member=self.world.alice, policy=RACING, reason="Six eyes.", now=utcnow())

    def mark(self) -> None:
        """From here on the outbox is read after the rounds."""
        self.outbox_mark = Outbox.objects.aggregate(last=Max("id"))["last"] or 0

    def submit(
        self, fields: dict[str, Any], count: int, *, level: Level, session: str | None = None
    ) -> list[CallView]:
        """So many calls at once, each in a run of its own unless a session is named."""
        calls, _ = gate.submit_batch(
            principal=self.world.agent,
            submissions=[Submission(**{"session": session, **fields})] * count,
            idempotency=None,
            now=utcnow(),
        )
        assert {call.level for call in calls} <= {level}, "the story needs calls of this level"
        return list(calls)

    def serve(self, member: Member, calls: Sequence[CallView], seat: int = 1) -> list[AttemptView]:
        """This person has the challenge of each of the calls open, and has looked long enough.

        The first one is served as every challenge is; the others are the same row for other calls, which saves most
        of the time that many rounds take. Only for challenges that ask nothing.
        """
        first = start(member, calls[0])
        row = ChallengeAttempt.objects.get(id=first.id)
        assert row.paper["questions"] == []
        assert row.seat == seat
        values = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
        copies = [
            ChallengeAttempt(
                **{**values, "id": uuid7(), "call_id": call.id, "action_digest": call.action_digest}
            )
            for call in calls[1:]
        ]
        ChallengeAttempt.objects.bulk_create(copies)
        self.look_long_enough(calls)
        return [first, *(replace(first, id=copy.id, action_digest=copy.action_digest) for copy in copies)]

    def look_long_enough(self, calls: Sequence[CallView]) -> None:
        """The least review time of every open challenge of these calls passes."""
        ChallengeAttempt.objects.filter(call__in=[call.id for call in calls]).update(
            served_at=F("served_at") - timedelta(minutes=2)
        )


def _decides(member: Member) -> bool:
    return member.role in (Role.ADMIN, Role.OPERATOR)
