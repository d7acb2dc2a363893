"""The very first admin comes in by a link that works once."""

from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from riskgate.core.roles import Role
from riskgate.services import teams
from tests.people import PASSWORD, World, utcnow
from tests.web.pages import assert_passes_the_content_policy, text_of

ALICE = {
    "team_name": "Payments",
    "name": "Alice Lindqvist",
    "email": "Alice@Example.com",
    "password1": PASSWORD,
    "password2": PASSWORD,
}


@pytest.fixture
def link(db: None) -> str:
    token = teams.first_admin_link(now=utcnow())
    assert token is not None
    return reverse("welcome", args=[token])


def words(response: HttpResponse) -> str:
    assert_passes_the_content_policy(response)
    return text_of(response.content.decode())


def test_alice_makes_the_first_team_and_is_signed_in(client: Client, link: str) -> None:
    assert "Make the first team" in words(client.get(link))
    response = client.post(link, ALICE)
    assert (response.status_code, response.headers["Location"]) == (302, "/start")
    person = get_user_model().objects.get()
    assert client.session["_auth_user_id"] == str(person.pk)
    (member,) = teams.memberships(user_id=person.pk)
    assert (member.team_name, member.role, member.email) == ("Payments", Role.ADMIN, "alice@example.com")


def test_opening_the_link_changes_nothing(client: Client, link: str) -> None:
    client.get(link)
    client.get(link)
    assert not get_user_model().objects.exists()
    assert client.post(link, ALICE).status_code == 302


def test_the_link_works_once(client: Client, link: str) -> None:
    client.post(link, ALICE)
    for response in (Client().get(link), Client().post(link, {**ALICE, "email": "mallory@example.com"})):
        assert response.status_code == 404
        assert "This link does not work" in words(response)
    assert get_user_model().objects.count() == 1


def test_a_link_that_never_was_says_what_to_do(client: Client, db: None) -> None:
    response = client.get(reverse("welcome", args=["nonsense"]))
    assert response.status_code == 404
    assert "start riskgate again on its machine: it prints a new link" in words(response)


def test_a_newer_link_replaces_the_older(client: Client, link: str) -> None:
    teams.first_admin_link(now=utcnow())
    assert client.get(link).status_code == 404


def test_a_link_is_good_for_a_day(client: Client, db: None) -> None:
    token = teams.first_admin_link(now=utcnow() - timedelta(days=1, seconds=1))
    assert client.get(reverse("welcome", args=[token])).status_code == 404


def test_where_somebody_has_an_account_no_link_works(client: Client, link: str, world: World) -> None:
    assert client.post(link, ALICE).status_code == 404


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"password2": "another-stable-battery-7"}, "The two passwords differ."),
        ({"password1": "short", "password2": "short"}, "too short"),
        ({"password1": "alice@example.com", "password2": "alice@example.com"}, "too similar"),
        ({"email": "nonsense"}, "valid email"),
        ({"team_name": " "}, "required"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_made(
    client: Client, link: str, wrong: dict[str, str], said: str
) -> None:
    response = client.post(link, {**ALICE, **wrong})
    assert response.status_code == 422
    assert said in words(response)
    assert PASSWORD not in response.content.decode()
    assert not get_user_model().objects.exists()
    assert client.get(link).status_code == 200
