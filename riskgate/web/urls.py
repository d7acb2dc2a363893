from django.conf import settings
from django.urls import path

from riskgate.web.views import (
    account,
    agents,
    catalogue,
    challenge,
    history,
    live,
    queue,
    review,
    robots,
    session,
    start,
    team_switch,
    welcome,
    withdrawal,
)

urlpatterns = [
    path("", queue.page, name="queue"),
    path("review/<uuid:call_id>", review.page, name="review"),
    path("review/<uuid:call_id>/raw", review.raw, name="review_raw"),
    path("review/<uuid:call_id>/open", review.opened, name="review_open"),
    path("review/<uuid:call_id>/reveal", review.reveal, name="review_reveal"),
    path("review/<uuid:call_id>/deny", review.deny, name="review_deny"),
    path("review/<uuid:call_id>/send-back", review.send_back, name="review_send_back"),
    path("review/<uuid:call_id>/revoke", review.revoke, name="review_revoke"),
    path("review/<uuid:call_id>/withdraw", withdrawal.withdraw, name="review_withdraw"),
    path("review/<uuid:call_id>/challenge", challenge.Page.as_view(), name="challenge"),
    path("review/<uuid:call_id>/renew", challenge.renew, name="challenge_renew"),
    path("review/<uuid:call_id>/leave", challenge.leave, name="challenge_leave"),
    path("review/<uuid:call_id>/answer", challenge.answer, name="challenge_answer"),
    path("live", live.stream, name="live"),
    path("live/pending", live.pending, name="pending"),
    path("favicon.svg", live.favicon, name="favicon"),
    path("team", team_switch.switch, name="team"),
    path("history", history.page, name="history"),
    path("agents", agents.page, name="agents"),
    path("agents/register", agents.register, name="agents_register"),
    path("agents/<uuid:agent_id>", agents.one, name="agent"),
    path("agents/<uuid:agent_id>/pause", agents.pause, name="agent_pause"),
    path("agents/<uuid:agent_id>/resume", agents.resume, name="agent_resume"),
    path("agents/<uuid:agent_id>/keys", agents.make_key, name="agent_key"),
    path("agents/<uuid:agent_id>/keys/<uuid:key_id>/rotate", agents.rotate_key, name="agent_key_rotate"),
    path("agents/<uuid:agent_id>/keys/<uuid:key_id>/revoke", agents.revoke_key, name="agent_key_revoke"),
    path("sessions/<uuid:session_id>", session.page, name="session"),
    path("start", start.page, name="start"),
    path("start/agents", start.register, name="start_register"),
    path("start/agents/<uuid:agent_id>/key", start.make_key, name="start_key"),
    path("start/agents/<uuid:agent_id>/test", start.send_test, name="start_test"),
    path("welcome/<str:token>", welcome.Page.as_view(), name="welcome"),
    path("account", account.page, name="account"),
    path("robots.txt", robots.robots, name="robots"),
]

if settings.DEBUG:
    urlpatterns += [path("catalogue", catalogue.page, name="catalogue")]
