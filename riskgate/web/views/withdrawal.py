"""The owner of an agent takes back what it asked."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from riskgate.services import withdrawals
from riskgate.web.members import member_required
from riskgate.web.views.review import decide


@require_POST
@member_required
def withdraw(request: HttpRequest, call_id: UUID) -> HttpResponse:
    return decide(request, call_id, lambda: withdrawals.withdraw(member=request.member, call_id=call_id))
