"""The review of one call, and deny, send back and revoke from it."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from riskgate.services import approvals
from riskgate.services.shapes import CallView
from tests.people import CRITICAL, HIGH, LOW, MEDIUM, World, approve, reread, start, submit
from tests.web.pages import assert_passes_the_content_policy, signed_in, text_of

WIPE: dict[str, Any] = {"function_name": "run_shell", "kwargs": {"command": "rm -rf / --no-preserve-root"}}

SECRET: dict[str, Any] = {
    "function_name": "delete_user",
    "args": ["usr_1"],
    "kwargs": {"api_token": "sk_live_0123456789abcdef"},
}

HOSTILE: dict[str, Any] = {
    "function_name": "delete_user",
    "args": ["</script><script>alert(1)</script>", "{{ request.user }}{% now 'Y' %}", "\u202ereversed"],
    "kwargs": {'"><img src=x onerror=alert(2)>': {"<b>": "<i>"}},
    "docstring": "<h1>Safe</h1> & sound",
    "reason": "<a href=//evil.example>please</a>",
    "hints": {"<u>note</u>": "<s>none</s>"},
    "metadata": {"<em>": "<q>"},
}


def review(client: Client, call: CallView) -> str:
    response = client.get(reverse("review", args=[call.id]))
    assert response.status_code == 200
    return response.content.decode()


def post(client: Client, route: str, call: CallView, **fields: str) -> Any:
    return client.post(reverse(route, args=[call.id]), fields)


def test_bob_reads_what_it_would_do_and_why_it_was_stopped(world: World) -> None:
    words = text_of(review(signed_in(world, "bob"), submit(world, HIGH)))
    assert 'delete_user("usr_123", env="production")' in words
    assert "HIGH 0.720 no floor" in words
    assert "support-copilot in production, session run-1" in words
    assert "Owner: Alice Lindqvist" in words
    assert "Permanently remove a user account." in words
    assert "the user asked to be forgotten" in words
    for contribution in ("0.2850.95 × 0.30", "0.1750.70 × 0.25", "0.1700.85 × 0.20", "0.000", "0.090"):
        assert contribution in words
    assert "HIGH from 0.6; 0.080 below CRITICAL" in words
    assert "It is the first action of its session." in words
    assert "support-copilot submitted it; scored 0.720 with policy 1" in words


def test_the_matched_characters_are_marked_in_the_arguments_themselves(world: World) -> None:
    page = review(signed_in(world, "bob"), submit(world, HIGH))
    assert '<mark class="hit">delete</mark>_user(' in page
    assert '<mark class="hit">production</mark>' in page
    assert '<mark class="hit">Permanent</mark>ly remove' in page


def test_a_floor_is_said_with_its_rule_and_both_levels(world: World) -> None:
    words = text_of(review(signed_in(world, "bob"), submit(world, WIPE)))
    assert "by a floor; by score" in words
    assert "a floor lifts it to CRITICAL" in words
    assert "matched rm -rf /" in words


def test_what_an_agent_wrote_stays_text(world: World) -> None:
    bob = signed_in(world, "bob")
    call = submit(world, HOSTILE)
    for address in (reverse("review", args=[call.id]), reverse("review_raw", args=[call.id]), "/"):
        response = bob.get(address)
        page = response.content.decode()
        for markup in ("<script>alert", "<img", "<h1>Safe", "<a href=//evil", "<u>", "<s>", "<em>", "<q>"):
            assert markup not in page, (address, markup)
        assert "{{ request.user }}" in page or address == "/"
        assert "\u202e" not in page
        assert_passes_the_content_policy(response)


def test_hidden_characters_are_chips_with_a_legend(world: World) -> None:
    words = text_of(review(signed_in(world, "bob"), submit(world, HOSTILE)))
    assert "U+202E" in words
    assert "right-to-left override, invisible; turned off here" in words


@pytest.mark.parametrize("reader", ["alice", "bob", "dave", "erin"])
def test_a_secret_is_shown_to_nobody(world: World, reader: str) -> None:
    client, call = signed_in(world, reader), submit(world, SECRET)
    assert "masked, 24 characters" in review(client, call)
    for address in (
        reverse("review", args=[call.id]),
        reverse("review_raw", args=[call.id]),
        "/",
        "/history",
    ):
        assert "sk_live" not in client.get(address).content.decode()


def test_the_raw_call_holds_everything_however_long(world: World) -> None:
    call = submit(world, {**HIGH, "args": ["x" * 50_000 + "the very end"]})
    page = signed_in(world, "bob").get(reverse("review_raw", args=[call.id])).content.decode()
    assert "x" * 50_000 + "the very end" in page


@pytest.mark.parametrize(
    ("method", "route"),
    [
        ("get", "review"),
        ("get", "review_raw"),
        ("get", "challenge"),
        ("post", "challenge"),
        ("post", "challenge_leave"),
        ("post", "review_open"),
        ("post", "review_deny"),
        ("post", "review_send_back"),
        ("post", "review_revoke"),
    ],
)
def test_eve_of_the_other_team_finds_nothing_there(world: World, method: str, route: str) -> None:
    call = submit(world, HIGH)
    eve = signed_in(world, "eve")
    address = reverse(route, args=[call.id])
    assert getattr(eve, method)(address, {"reason": "x"}).status_code == 404
    assert reread(world, call).status == "pending"


@pytest.mark.parametrize(
    "route",
    [
        "challenge_answer",
        "challenge_leave",
        "review_open",
        "review_deny",
        "review_send_back",
        "review_revoke",
    ],
)
def test_no_address_changes_anything_by_being_read(world: World, route: str) -> None:
    call = submit(world, HIGH)
    assert signed_in(world, "bob").get(reverse(route, args=[call.id])).status_code == 405
    assert reread(world, call).status == "pending"


def test_a_post_without_the_token_of_the_page_is_refused(world: World) -> None:
    call = submit(world, HIGH)
    bob = signed_in(world, "bob")
    bob.handler.enforce_csrf_checks = True
    assert post(bob, "review_deny", call).status_code == 403
    assert reread(world, call).status == "pending"


@pytest.mark.parametrize(("reader", "role"), [("erin", "viewer"), ("dave", "auditor")])
def test_who_only_looks_has_no_button_and_is_told_why(world: World, reader: str, role: str) -> None:
    call = submit(world, HIGH)
    client = signed_in(world, reader)
    page = review(client, call)
    assert "review_deny" not in page
    assert reverse("review_deny", args=[call.id]) not in page
    assert f"You are an {role}" in page or f"You are a {role}" in page
    assert post(client, "review_deny", call).status_code == 403
    assert reread(world, call).status == "pending"


# ------------------------------------------------------------------ deciding


def test_deny_is_one_click(world: World) -> None:
    call = submit(world, HIGH)
    bob = signed_in(world, "bob")
    response = post(bob, "review_deny", call)
    assert response.status_code == 302
    assert response["Location"] == reverse("review", args=[call.id])
    assert reread(world, call).status == "denied"
    words = text_of(review(bob, call))
    assert "You denied this." in words
    assert "Somebody else" not in words


def test_others_read_who_denied_it_and_why(world: World) -> None:
    call = submit(world, HIGH)
    approvals.deny(member=world.carol, call_id=call.id, reason="Wrong tenant.")
    words = text_of(review(signed_in(world, "bob"), call))
    assert "Carol Weber denied this." in words
    assert "“Wrong tenant.”" in words


def test_sending_back_needs_a_reason(world: World) -> None:
    call = submit(world, HIGH)
    bob = signed_in(world, "bob")
    response = post(bob, "review_send_back", call, reason="  ")
    assert response.status_code == 422
    assert "Say what the agent should change" in text_of(response.content.decode())
    assert reread(world, call).status == "pending"
    post(bob, "review_send_back", call, reason="Name the tenant.")
    assert reread(world, call).status == "returned"
    assert "You sent this back." in text_of(review(bob, call))


def test_a_stale_button_says_that_somebody_else_decided(world: World) -> None:
    call = submit(world, HIGH)
    approvals.deny(member=world.carol, call_id=call.id)
    response = post(signed_in(world, "bob"), "review_deny", call)
    assert response.status_code == 409
    words = text_of(response.content.decode())
    assert "Somebody else decided this." in words
    assert "Carol Weber denied this." in words


def test_htmx_gets_the_review_after_a_decision_and_the_queue_is_told(world: World) -> None:
    call = submit(world, HIGH)
    bob = signed_in(world, "bob")
    response = bob.post(
        reverse("review_deny", args=[call.id]), headers={"HX-Request": "true", "HX-Target": "review"}
    )
    assert response.status_code == 200
    assert "riskgate:changed" in response["HX-Trigger"]
    assert response.content.decode().lstrip().startswith("<article")
    assert "You denied this." in response.content.decode()


def test_an_approval_is_taken_back_by_an_operator_and_by_no_viewer(world: World) -> None:
    call = submit(world, HIGH)
    approve(world.bob, call)
    erin, carol = signed_in(world, "erin"), signed_in(world, "carol")
    assert "Take the approval back" not in review(erin, call)
    assert post(erin, "review_revoke", call).status_code == 403
    assert "Take the approval back" in review(carol, call)
    post(carol, "review_revoke", call)
    assert reread(world, call).status == "revoked"
    assert "You took the approval back." in text_of(review(carol, call))


def test_what_needed_nobody_says_so(world: World) -> None:
    words = text_of(review(signed_in(world, "bob"), submit(world, LOW)))
    assert "This was approved at once." in words
    assert "below MEDIUM" in words


def test_the_session_so_far_stands_below(world: World) -> None:
    submit(world, LOW)
    words = text_of(review(signed_in(world, "bob"), submit(world, HIGH)))
    assert "get_users()" in words
    assert "approved at once" in words


def test_two_people_must_approve_what_is_critical_and_seats_are_told_without_names(world: World) -> None:
    call = submit(world, CRITICAL)
    words = text_of(review(signed_in(world, "bob"), call))
    assert "Two people must approve" in words
    assert "Teach-back: free" in words
    assert "Quiz: free" in words
    assert "0 of 2 approvals" in words


def test_a_team_without_the_call_learns_nothing_of_its_page_in_htmx_either(world: World) -> None:
    call = submit(world, HIGH)
    response = signed_in(world, "eve").get(
        reverse("review", args=[call.id]), headers={"HX-Request": "true", "HX-Target": "review"}
    )
    assert response.status_code == 404


def test_a_review_costs_few_queries_however_long_its_story(
    world: World, django_assert_max_num_queries: Any
) -> None:
    for _ in range(20):
        submit(world, MEDIUM)
    call = submit(world, HIGH)
    start(world.bob, call)
    bob = signed_in(world, "bob")
    with django_assert_max_num_queries(15):
        review(bob, call)
