"""The owner of an agent withdraws an action from its review."""

from django.test import Client
from django.urls import reverse

from tests.people import HIGH, LOW, World, claim, submit
from tests.web.agent_pages import page
from tests.web.pages import signed_in, text_of


def test_only_the_owner_is_offered_to_withdraw(world: World) -> None:
    call = submit(world, HIGH)
    path = reverse("review_withdraw", args=[call.id])
    for who in ("grace", "bob", "dave", "erin"):
        client = signed_in(world, who)
        assert path not in page(client, reverse("review", args=[call.id]))
        response = client.post(path)
        assert response.status_code == 403
        assert "the person who owns it withdraw its actions" in text_of(response.content.decode())
    assert signed_in(world, "eve").post(path).status_code == 404
    alice = signed_in(world, "alice")
    assert path in page(alice, reverse("review", args=[call.id]))
    assert alice.get(path).status_code == 405
    assert alice.post(path).url == reverse("review", args=[call.id])
    words = text_of(page(alice, reverse("review", args=[call.id])))
    assert "You withdrew this. Nothing is left to decide." in words
    assert path not in page(alice, reverse("review", args=[call.id]))
    assert "Alice Lindqvist withdrew this." in text_of(
        page(signed_in(world, "bob"), reverse("review", args=[call.id]))
    )
    said = text_of(page(signed_in(world, "dave"), "/history"))
    assert 'Alice Lindqvist withdrew delete_user("usr_123", env="production") after' in said
    assert "As the owner of support-copilot." in said


def test_an_approved_action_can_be_withdrawn_and_a_claimed_one_not(world: World) -> None:
    call, alice = submit(world, LOW), signed_in(world, "alice")
    path = reverse("review_withdraw", args=[call.id])
    assert path in page(alice, reverse("review", args=[call.id]))
    claim(world, call)
    assert path not in page(alice, reverse("review", args=[call.id]))
    response = alice.post(path)
    assert response.status_code == 409
    assert "it can be withdrawn only before it is claimed" in text_of(response.content.decode())


def test_a_call_that_the_agent_cancelled_reads_as_its_own_doing(world: World) -> None:
    call = submit(world, HIGH)
    cancelled = Client().post(
        f"/api/v1/actions/{call.id}/cancel",
        content_type="application/json",
        headers={"authorization": f"Bearer {world.api_key}"},
    )
    assert cancelled.status_code == 200
    words = text_of(page(signed_in(world, "bob"), reverse("review", args=[call.id])))
    assert "support-copilot withdrew this." in words
    assert "support-copilot cancelled it" in words
