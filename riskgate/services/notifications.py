"""What an outbox row becomes outside: today, an e-mail to those who may decide."""

from django.conf import settings
from django.core.mail import send_mail

from riskgate.core.levels import Level
from riskgate.core.roles import Permission, Role, allows
from riskgate.storage.models import Call, Membership, Outbox

MAILED_FROM = Level.HIGH


def deliver(row: Outbox) -> None:
    """Sends what the row asks for. Raises OSError (smtplib's errors are) where it could not.

    Only a pending action at HIGH or above is mailed, and only where RISKGATE_EMAIL_URL names a server. The mail
    holds a link on the public URL and no argument of the action.
    """
    if row.topic != "action.pending" or not settings.EMAIL_CONFIGURED:
        return
    call = Call.objects.select_related("agent").get(id=row.payload["call"])
    if call.level < MAILED_FROM or call.status != "pending":
        return
    deciders = [role.value for role in Role if allows(role, Permission.DECIDE)]
    people = Membership.objects.filter(
        team_id=row.team_id, role__in=deciders, user__is_active=True
    ).values_list("user__email", flat=True)
    level = Level(call.level).name
    for address in people:
        send_mail(
            f"[riskgate] {level}: {call.agent.name} asks to run an action",
            f"Review it here: {settings.PUBLIC_URL}/review/{call.id}\n",
            None,
            [address],
        )
