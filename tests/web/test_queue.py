"""The queue: what waits, for whom, and how much it costs to read."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from riskgate.services import approvals
from riskgate.services.shapes import CallView
from riskgate.storage.models import Opened
from tests.people import CRITICAL, HIGH, LOW, MEDIUM, World, start, submit, utcnow
from tests.web.pages import assert_passes_the_content_policy, signed_in, text_of


def queue(client: Client, **query: object) -> str:
    response = client.get("/", query)
    assert response.status_code == 200
    return response.content.decode()


def rows(page: str) -> list[str]:
    """The ids of the rows, in their order."""
    return [
        part.split('"')[0]
        for part in page.split('<li class="row')[1:]
        for part in [part.split('data-call="')[1]]
    ]


def ids(*calls: CallView) -> list[str]:
    return [str(call.id) for call in calls]


@pytest.mark.parametrize("reader", ["alice", "bob", "dave", "erin"])
def test_every_role_reads_the_queue(world: World, reader: str) -> None:
    submit(world, HIGH)
    words = text_of(queue(signed_in(world, reader)))
    assert "1 pending" in words
    assert 'delete_user("usr_123", env="production")' in words


def test_a_stranger_is_asked_to_sign_in_and_comes_back(client: Client, db: None) -> None:
    response = client.get("/?level=HIGH")
    assert response.status_code == 302
    assert response["Location"] == "/accounts/login/?next=%2F%3Flevel%3DHIGH"


def test_a_fragment_is_never_the_sign_in_page(client: Client, db: None) -> None:
    response = client.get("/", headers={"HX-Request": "true", "HX-Target": "queue-list"})
    assert response["HX-Redirect"] == "/accounts/login/?next=%2F"
    assert response.content == b""


def test_eve_of_the_other_team_sees_none_of_it(world: World) -> None:
    call = submit(world, HIGH)
    eve = signed_in(world, "eve")
    assert "delete_user" not in queue(eve)
    assert eve.get("/", {"selected": str(call.id)}).status_code == 404


def test_the_riskiest_comes_first(world: World) -> None:
    medium, high, critical = submit(world, MEDIUM), submit(world, HIGH), submit(world, CRITICAL)
    submit(world, LOW)
    assert rows(queue(signed_in(world, "bob"))) == ids(critical, high, medium)


def test_the_first_row_is_read_beside_the_list(world: World) -> None:
    submit(world, MEDIUM)
    high = submit(world, HIGH)
    assert f'id="review" data-call="{high.id}"' in queue(signed_in(world, "bob"))


def test_another_row_is_selected_by_its_link(world: World) -> None:
    medium = submit(world, MEDIUM)
    submit(world, HIGH)
    bob = signed_in(world, "bob")
    assert f"/?selected={medium.id}" in queue(bob)
    page = queue(bob, selected=medium.id)
    assert f'id="review" data-call="{medium.id}"' in page
    assert "queue-chosen" in page


def test_filters_narrow_and_say_so(world: World) -> None:
    medium, high = submit(world, MEDIUM), submit(world, HIGH)
    bob = signed_in(world, "bob")
    assert rows(queue(bob, level="MEDIUM")) == ids(medium)
    assert rows(queue(bob, function="delete_user")) == ids(high)
    assert rows(queue(bob, agent=world.agent.agent_id)) == ids(high, medium)
    words = text_of(queue(bob, level="CRITICAL"))
    assert "Nothing waits here with this filter" in words
    assert "2 others in the team" in words


@pytest.mark.parametrize(
    "query",
    [{"level": "SEVERE"}, {"agent": "nobody"}, {"selected": "x"}, {"scope": "world"}, {"function": "\x00"}],
)
def test_a_choice_that_is_none_is_left_out(world: World, query: dict[str, str]) -> None:
    call = submit(world, HIGH)
    assert rows(queue(signed_in(world, "bob"), **query)) == ids(call)


def test_a_broken_page_mark_is_said_and_not_a_fault(world: World) -> None:
    response = signed_in(world, "bob").get("/", {"cursor": "%%%"})
    assert response.status_code == 422
    assert "To the queue" in text_of(response.content.decode())


def test_all_holds_what_was_just_decided_too(world: World) -> None:
    denied, high = submit(world, MEDIUM), submit(world, HIGH)
    approvals.deny(member=world.carol, call_id=denied.id)
    bob = signed_in(world, "bob")
    assert rows(queue(bob)) == ids(high)
    page = queue(bob, scope="all")
    assert rows(page) == ids(high, denied)
    assert "Decided in the last hour" in text_of(page)


def test_an_empty_queue_says_so_and_shows_the_last_decision(world: World) -> None:
    call = submit(world, HIGH)
    approvals.deny(member=world.carol, call_id=call.id)
    words = text_of(queue(signed_in(world, "bob")))
    assert "Nothing waits for a decision" in words
    assert 'Last decision: Carol Weber denied delete_user("usr_123", env="production")' in words


def test_a_new_team_is_told_what_would_fill_it(world: World) -> None:
    words = text_of(queue(signed_in(world, "eve")))
    assert "Nobody has decided anything yet" in words


def test_somebody_else_at_work_is_told_without_a_name(world: World) -> None:
    call = submit(world, HIGH)
    start(world.carol, call)
    words = text_of(queue(signed_in(world, "bob")))
    assert "somebody is reviewing" in words
    assert "Carol" not in words


def test_what_was_opened_is_no_longer_marked_unread(world: World) -> None:
    call = submit(world, HIGH)
    bob = signed_in(world, "bob")
    assert 'aria-label="Unread"' in queue(bob)
    assert bob.post(reverse("review_open", args=[call.id])).status_code == 204
    assert 'aria-label="Unread"' not in queue(bob)


def test_reading_alone_marks_nothing(world: World) -> None:
    call = submit(world, HIGH)
    bob = signed_in(world, "bob")
    queue(bob, selected=call.id)
    bob.get(reverse("review", args=[call.id]))
    assert 'aria-label="Unread"' in queue(bob)


def test_htmx_gets_the_list_alone_or_the_review_alone(world: World) -> None:
    call = submit(world, HIGH)
    bob = signed_in(world, "bob")

    def fragment(target: str) -> HttpResponse:
        return bob.get("/", {"selected": str(call.id)}, headers={"HX-Request": "true", "HX-Target": target})

    listed = fragment("queue-list").content.decode()
    assert "<html" not in listed
    assert rows(listed) == ids(call)
    assert 'id="review"' not in listed
    pane = fragment("pane").content.decode()
    assert pane.lstrip().startswith('<article class="review')
    assert "HX-Target" in fragment("pane")["Vary"]
    assert "no-store" in fragment("pane")["Cache-Control"]


def test_the_title_and_the_icon_carry_the_count(world: World) -> None:
    for number in range(12):
        submit(world, {**HIGH, "args": [f"usr_{number}"]})
    bob = signed_in(world, "bob")
    page = queue(bob)
    assert "<title>(12) Queue · riskgate</title>" in page
    assert 'href="/favicon.svg?n=12"' in page
    assert "<title>(12) History · riskgate</title>" in bob.get("/history").content.decode()
    assert bob.get("/live/pending").json() == {"pending": 12}


@pytest.mark.parametrize(
    ("asked", "shown"), [("3", ">3<"), ("12", ">9+<"), ("99+", ">9+<"), ("<b>", ""), ("²", "")]
)
def test_the_icon_is_public_and_counts_to_nine(client: Client, db: None, asked: str, shown: str) -> None:
    response = client.get("/favicon.svg", {"n": asked})
    assert response["Content-Type"] == "image/svg+xml"
    assert shown in response.content.decode()
    assert ("<text" in response.content.decode()) == bool(shown)


def test_fifty_rows_and_then_more(world: World) -> None:
    calls = [submit(world, {**HIGH, "args": [f"usr_{number}"]}) for number in range(53)]
    bob = signed_in(world, "bob")
    first = queue(bob)
    assert rows(first) == ids(*calls[:50])
    more = first.split('rel="next"')[0].rsplit('href="', 1)[1].split('"')[0].replace("&amp;", "&")
    second = bob.get(more).content.decode()
    assert rows(second) == ids(*calls[50:])
    assert "First page" in text_of(second)


def test_fifty_rows_cost_no_more_queries_than_one(world: World, django_assert_num_queries: Any) -> None:
    bob = signed_in(world, "bob")
    submit(world, HIGH)
    queue(bob)
    with CaptureQueriesContext(
        connection,
    ) as few:
        queue(bob)
    for number in range(49):
        submit(world, {**HIGH, "args": [f"usr_{number}"]}, session=f"run-{number}")
    with django_assert_num_queries(len(few)):
        queue(bob)


def test_the_list_that_every_change_fetches_is_cheap(
    world: World, django_assert_max_num_queries: Any
) -> None:
    for number in range(50):
        submit(world, {**HIGH, "args": [f"usr_{number}"]})
    bob = signed_in(world, "bob")
    with django_assert_max_num_queries(9):
        bob.get("/", headers={"HX-Request": "true", "HX-Target": "queue-list"})
    with django_assert_max_num_queries(15):
        bob.get("/")


def test_the_queue_needs_nothing_that_the_content_policy_forbids(world: World) -> None:
    submit(world, HIGH)
    submit(world, CRITICAL)
    assert_passes_the_content_policy(signed_in(world, "bob").get("/"))


def test_words_are_found_in_the_rows_as_they_are_shown(world: World) -> None:
    medium, high = submit(world, MEDIUM), submit(world, HIGH)
    bob = signed_in(world, "bob")
    assert rows(queue(bob, q="USR_123")) == ids(high)
    assert rows(queue(bob, q="delete d-7")) == ids(medium)
    assert rows(queue(bob, q="support")) == ids(high, medium)
    page = queue(bob, q="no such thing", level="HIGH")
    assert rows(page) == []
    assert "Nothing waits here with this filter" in text_of(page)
    assert 'value="no such thing"' in page
    assert '<input type="hidden" name="level" value="HIGH">' in page
    assert rows(queue(bob, q="%")) == rows(queue(bob, q="_usr")) == []
    assert rows(queue(bob, q="\x00")) == rows(queue(bob, q="\u202e")) == ids(high, medium)
    assert "\u202e" not in queue(bob, q="\u202eusr")


def test_a_search_confirms_no_secret(world: World) -> None:
    submit(world, {"function_name": "delete_user", "kwargs": {"api_token": "sk_live_0123456789abcdef"}})
    assert rows(queue(signed_in(world, "bob"), q="sk_live_0123456789abcdef")) == []


def test_who_chose_an_action_is_at_it_until_it_is_forgotten(world: World) -> None:
    call = submit(world, HIGH)
    alice, bob, carol = (signed_in(world, name) for name in ("alice", "bob", "carol"))
    bob.post(reverse("review_open", args=[call.id]))
    assert "somebody is reviewing" not in text_of(queue(carol)), "the first row is in view by itself"
    bob.post(reverse("review_open", args=[call.id]), {"present": "yes"})
    for other in (alice, carol):
        page = queue(other)
        assert "somebody is reviewing" in text_of(page)
        assert "Bob" not in text_of(page)
    assert "Somebody else is reviewing this now." in text_of(
        carol.get(reverse("review", args=[call.id])).content.decode()
    )
    assert "somebody is reviewing" not in text_of(queue(bob)), "of oneself one knows"
    Opened.objects.update(seen_at=utcnow() - timedelta(minutes=2, seconds=1))
    assert "somebody is reviewing" not in text_of(queue(carol))


def test_of_a_call_with_seats_nobody_learns_who_looks(world: World) -> None:
    call = submit(world, CRITICAL)
    signed_in(world, "bob").post(reverse("review_open", args=[call.id]), {"present": "yes"})
    carol = signed_in(world, "carol")
    words = text_of(queue(carol)) + text_of(carol.get(reverse("review", args=[call.id])).content.decode())
    assert "reviewing" not in words
    assert "0 of 2 seats" in words


def test_the_queue_reads_no_arguments(world: World) -> None:
    call = submit(world, {**HIGH, "args": ["x" * 100_000]})
    submit(world, MEDIUM)
    bob = signed_in(world, "bob")
    with CaptureQueriesContext(connection) as done:
        bob.get("/", {"selected": ""}, headers={"HX-Request": "true", "HX-Target": "queue-list"})
    lists = [query["sql"] for query in done if '"storage_call"."signature"' in query["sql"]]
    assert lists
    assert not any('"storage_call"."args"' in sql or '"storage_call"."kwargs"' in sql for sql in lists)
    assert str(call.id) in queue(bob)
