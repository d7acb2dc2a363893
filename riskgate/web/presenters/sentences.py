"""The table of sentences: what happened, and what there is to add."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from riskgate.core.events import Event
from riskgate.core.lifecycle import ReasonCode
from riskgate.core.roles import ActorKind
from riskgate.web.presenters.parts import Told


def _always(told: Told) -> bool:
    return True


def _by_system(told: Told) -> bool:
    return told.event.actor_kind is ActorKind.SYSTEM


def _by_person(told: Told) -> bool:
    return told.event.actor_kind is ActorKind.USER


def _unclaimed(told: Told) -> bool:
    return told.data.get("reason_code") == ReasonCode.EXPIRED_UNCLAIMED


@dataclass(frozen=True, slots=True)
class Sentence:
    """What happened, and below it what there is to add.

    main     with places in braces
    seconds  the first of these whose places are all filled is the second line
    clause   how it goes on in the sentence that it is folded into
    aside    what it adds below the sentence that it is folded into
    when     whether this sentence is the right one; the last of an event's sentences always is
    """

    main: str
    seconds: tuple[str, ...] = ()
    clause: str = ""
    aside: tuple[str, ...] = ()
    when: Callable[[Told], bool] = _always


QUOTED = ("“{reason}”",)
GRADED = ("{right} of {of} right at the {attempt} attempt.", "{right} of {of} right.")

SENTENCES: Mapping[Event, tuple[Sentence, ...]] = {
    Event.SUBMITTED: (Sentence("{who} submitted {call}", ("“{asked}”",)),),
    Event.SCORED: (
        Sentence(
            "{call} {scored}{policy}",
            (
                "Scoring failed, so it counts as {level}: {failed}",
                "{score_level} by score; floor {floor} raises it to {level}.",
                "{summary}",
            ),
            clause="; {scored}{policy}",
        ),
    ),
    Event.OPENED: (Sentence("{who} opened {call}"),),
    Event.CHALLENGE_ISSUED: (Sentence("{who} started the {challenge} for {call}", ("{again} attempt.",)),),
    Event.CHALLENGE_PASSED: (
        Sentence(
            "{who} passed the {challenge} for {call}",
            GRADED,
            aside=("{challenge} passed at the {attempt} attempt.", "{challenge} passed."),
        ),
    ),
    # How many were right is never told: whoever may try again would learn which to keep.
    Event.CHALLENGE_FAILED: (
        Sentence("{who} failed the {challenge} for {call}", ("It was the {attempt} attempt.",)),
    ),
    Event.VOTED: (Sentence("{who} voted to approve {call}{seat}"),),
    Event.APPROVED: (
        Sentence(
            "{call} was approved at once",
            ("Nobody is needed at {level}.",),
            clause=", approved at once",
            when=_by_system,
        ),
        Sentence("{who} approved {call}{after}", QUOTED),
    ),
    Event.DENIED: (
        Sentence(
            "A rule refused {call}",
            ("Rule {rule}: {reason}", "{reason}"),
            clause=", refused by a rule",
            aside=("Rule {rule}: {reason}", "{reason}"),
            when=_by_system,
        ),
        Sentence("{who} denied {call}{after}", QUOTED),
    ),
    Event.RETURNED: (Sentence("{who} sent {call} back{after}", QUOTED),),
    Event.CANCELLED: (
        Sentence("{who} withdrew {call}{after}", ("As the owner of {agent}.",), when=_by_person),
        Sentence("{who} cancelled {call}{after}", QUOTED),
    ),
    Event.EXPIRED: (
        Sentence("{agent} did not claim {call} in time; the approval expired", when=_unclaimed),
        Sentence("Nobody decided {call} {in_time}; it expired"),
    ),
    Event.REVOKED: (Sentence("{who} revoked {call} before it was claimed", QUOTED),),
    Event.CLAIMED: (Sentence("{who} claimed {call}"),),
    Event.SUCCEEDED: (Sentence("{who} ran {call}; it succeeded"),),
    Event.FAILED: (Sentence("{who} ran {call}; it failed", ("{error}",)),),
    Event.UNKNOWN: (
        Sentence("{agent} never said how {call} ended", ("Look at it by hand: it may have run.",)),
    ),
    Event.SESSION_OPENED: (Sentence("{who} opened the session {session}"),),
    Event.SESSION_CLOSED: (Sentence("{who} closed the session {session}"),),
    Event.TEAM_CREATED: (Sentence("{who} made the team {team}"),),
    Event.MEMBER_ADDED: (Sentence("{who} added {person} to the team{role}"),),
    Event.AGENT_REGISTERED: (Sentence("{who} registered the agent {agent}{environment}"),),
    Event.AGENT_PAUSED: (Sentence("{who} paused the agent {agent}", QUOTED),),
    Event.AGENT_RESUMED: (Sentence("{who} resumed the agent {agent}", QUOTED),),
    Event.KEY_MADE: (
        Sentence(
            "{who} made an API key for {agent}",
            (
                "It begins with {key} and replaces {replaces}, which works until it is revoked.",
                "It begins with {key}.",
            ),
        ),
    ),
    Event.KEY_REVOKED: (Sentence("{who} revoked an API key of {agent}", ("It began with {key}.",)),),
    Event.SECRET_REVEALED: (Sentence("{who} revealed a masked value of {call}", ("It stands at {place}.",)),),
    Event.POLICY_PUBLISHED: (Sentence("{who} published {version}", QUOTED),),
    Event.SIGNED_IN: (Sentence("{who} signed in"),),
}
