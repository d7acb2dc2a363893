"""What an outbox row becomes outside: today, an e-mail to those who may decide."""

from django.conf import settings
from django.core.mail import send_mail

from riskgate.core.levels import Level
from riskgate.core.lifecycle import Status
from riskgate.core.policy import Policy
from riskgate.core.roles import Permission, Role, allows
from riskgate.services import permissions
from riskgate.storage.models import Call, Membership, Outbox

MAILED_FROM = Level.HIGH

TOPICS = frozenset({"action.pending", "action.stuck"})


def deliver(row: Outbox) -> None:
    """Sends what the row asks for. Raises OSError (smtplib's errors are) where it could not.

    A pending action at HIGH or above is mailed to everybody who may decide it, and one at any level that nobody can
    approve to the admins; only where RISKGATE_EMAIL_URL names a server. A mail holds a link on the public URL, and
    neither an argument of the action nor what anybody has done about it.
    """
    if row.topic not in TOPICS or not settings.EMAIL_CONFIGURED:
        return
    call = Call.objects.select_related("agent", "policy", "team").get(id=row.payload["call"])
    if call.status != Status.PENDING:
        return
    level = Level(call.level)
    stuck = permissions.stuck(call.team_id, [call]).get(call.id, "")
    admins = _addresses(call, Permission.MANAGE_TEAM) if stuck else set()
    for address in sorted(admins):
        _mail(call, address, f"{level.name}: nobody can approve what {call.agent.name} asks for", stuck)
    if row.topic == "action.pending" and level >= MAILED_FROM:
        for address in sorted(_addresses(call, Permission.DECIDE) - admins):
            _mail(call, address, f"{level.name}: {call.agent.name} asks to run an action")


def _addresses(call: Call, permission: Permission) -> set[str]:
    """Of everybody in the team who has this permission, and may decide this call where that is what is asked."""
    people = Membership.objects.filter(team_id=call.team_id, user__is_active=True).select_related("user")
    policy = Policy.from_json(call.policy.document)
    found = set()
    for person in people:
        role = Role(person.role)
        may = permissions.may_decide(
            call,
            user_id=person.user_id,
            role=role,
            status=Status(call.status),
            voters=(),
            failed_attempts=0,
            policy=policy,
        )
        if allows(role, permission) and (may.deny or permission is not Permission.DECIDE):
            found.add(person.user.email)
    return found


def _mail(call: Call, address: str, subject: str, first: str = "") -> None:
    link = f"Review it here: {settings.PUBLIC_URL}/review/{call.id}\n"
    send_mail(f"[riskgate] {subject}", f"{first}\n\n{link}" if first else link, None, [address])
