"""People come in with a password and perhaps a second factor, and nobody comes in alone."""

import re
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from django.contrib.auth import get_user_model
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.urls import NoReverseMatch, reverse
from pytest_django import Settings

from riskgate.core.events import Event
from riskgate.services import history
from tests.people import PASSWORD, World, utcnow
from tests.web.pages import assert_passes_the_content_policy, signed_in, text_of

LOGIN = "/accounts/login/"


@pytest.fixture(autouse=True)
def nobody_tried_before(db: None) -> None:
    """Failed attempts are counted in the cache, which a test's rollback takes back only where it is a table."""
    cache.clear()


def sign_in(client: Client, who: str = "bob", password: str = PASSWORD, **more: str) -> Any:
    return client.post(LOGIN, {"login": f"{who}@example.com", "password": password, **more})


def code_of(secret: str) -> str:
    return format_hotp_value(hotp_value(secret, next(iter(yield_hotp_counters_from_time()))))


def user(who: str) -> Any:
    return get_user_model().objects.get(email=f"{who}@example.com")


def test_bob_signs_in_and_comes_to_the_queue(world: World, client: Client) -> None:
    response = sign_in(client)
    assert (response.status_code, response.headers["Location"]) == (302, "/")
    assert client.session["_auth_user_id"] == str(world.bob.user_id)


def test_bob_comes_to_the_page_that_he_had_asked_for(world: World, client: Client) -> None:
    assert sign_in(client, next="/history").headers["Location"] == "/history"


def test_nobody_is_led_to_another_site(world: World, client: Client) -> None:
    assert sign_in(client, next="https://evil.example/").headers["Location"] == "/"


def test_a_sign_in_stands_in_the_teams_history(world: World, client: Client) -> None:
    sign_in(client)
    newest = history.page(member=world.dave, cursor=None, now=utcnow()).events[0]
    assert (newest.kind, newest.actor_name) == (Event.SIGNED_IN, "Bob Okafor")
    others = history.page(member=world.eve, cursor=None, now=utcnow()).events
    assert Event.SIGNED_IN not in {event.kind for event in others}


def test_a_wrong_password_opens_nothing_and_is_said(world: World, client: Client) -> None:
    response = sign_in(client, password="nonsense-and-more")
    assert "do not belong together" in text_of(response.content.decode())
    assert "_auth_user_id" not in client.session


def test_an_unknown_address_is_answered_like_a_wrong_password(world: World, client: Client) -> None:
    wrong = text_of(sign_in(client, password="nonsense-and-more").content.decode())
    unknown = text_of(sign_in(client, "mallory").content.decode())
    assert wrong == unknown


def test_many_wrong_passwords_are_stopped_with_words(world: World, client: Client) -> None:
    pages = [sign_in(client, password="nonsense-and-more") for _ in range(12)]
    assert "Too many failed attempts." in text_of(pages[-1].content.decode())
    assert "_auth_user_id" not in client.session


def test_too_many_requests_get_a_page(world: World, client: Client, settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"login": "2/m/ip"}
    pages = [client.get(LOGIN) for _ in range(3)] + [sign_in(client) for _ in range(3)]
    assert pages[-1].status_code == 429
    assert "Wait five minutes" in text_of(pages[-1].content.decode())
    assert_passes_the_content_policy(pages[-1])


def test_a_person_who_was_turned_off_does_not_come_in(world: World, client: Client) -> None:
    get_user_model().objects.filter(email="bob@example.com").update(is_active=False)
    response = client.post(LOGIN, {"login": "bob@example.com", "password": PASSWORD}, follow=True)
    assert "_auth_user_id" not in client.session
    assert response.status_code == 200


def test_the_browser_is_told_what_to_fill_in(client: Client, db: None) -> None:
    page = client.get(LOGIN).content.decode()
    assert re.search(r'<input[^>]*name="login"[^>]*autocomplete="username"', page)
    assert re.search(r'<input[^>]*name="password"[^>]*autocomplete="current-password"', page)


def test_signing_out_takes_a_click(world: World) -> None:
    client = signed_in(world, "bob")
    assert "Sign out" in text_of(client.get("/accounts/logout/").content.decode())
    assert "_auth_user_id" in client.session
    client.post("/accounts/logout/")
    assert "_auth_user_id" not in client.session


def test_strangers_cannot_make_themselves_an_account(world: World, client: Client) -> None:
    fields = {"email": "mallory@example.com", "password1": PASSWORD, "password2": PASSWORD}
    for response in (client.get("/accounts/signup/"), client.post("/accounts/signup/", fields)):
        assert "Nobody can sign up alone here." in text_of(response.content.decode())
    assert not get_user_model().objects.filter(email="mallory@example.com").exists()


def test_nobody_changes_their_own_address(world: World) -> None:
    with pytest.raises(NoReverseMatch):
        reverse("account_email")
    assert signed_in(world, "bob").get("/accounts/email/").status_code == 404


def test_bob_changes_his_password(world: World) -> None:
    client = signed_in(world, "bob")
    fresh = "another-stable-battery-7"
    client.post(
        "/accounts/password/change/", {"oldpassword": PASSWORD, "password1": fresh, "password2": fresh}
    )
    assert user("bob").check_password(fresh)


def test_a_password_that_is_too_short_is_refused_with_words(world: World) -> None:
    page = signed_in(world, "bob").post(
        "/accounts/password/change/", {"oldpassword": PASSWORD, "password1": "short", "password2": "short"}
    )
    assert "too short" in text_of(page.content.decode())
    assert user("bob").check_password(PASSWORD)


def test_a_forgotten_password_is_set_anew_by_mail(world: World, client: Client) -> None:
    done = client.post("/accounts/password/reset/", {"email": "bob@example.com"}, follow=True)
    assert "Look into your mail" in text_of(done.content.decode())
    (letter,) = mail.outbox
    link = re.search(r"http://localhost:8000(/accounts/password/reset/key/\S+)", str(letter.body))
    assert link is not None, letter.body
    form = client.get(link[1], follow=True)
    assert_passes_the_content_policy(form)
    fresh = "another-stable-battery-7"
    client.post(form.request["PATH_INFO"], {"password1": fresh, "password2": fresh})
    assert user("bob").check_password(fresh)
    again = Client().get(link[1], follow=True)
    assert "This link does not work" in text_of(again.content.decode())


def test_the_mail_leads_to_the_public_address_whatever_the_host_header_says(
    world: World, client: Client, settings: Settings
) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    client.post("/accounts/password/reset/", {"email": "bob@example.com"}, headers={"host": "evil.example"})
    assert "http://localhost:8000/accounts/password/reset/key/" in str(mail.outbox[0].body)


def test_an_unknown_address_is_not_told_apart(world: World, client: Client) -> None:
    done = client.post("/accounts/password/reset/", {"email": "mallory@example.com"}, follow=True)
    assert "If the address has an account" in text_of(done.content.decode())


def test_bob_sets_up_an_authenticator_app_and_needs_it_from_then_on(world: World) -> None:
    client = Client()
    sign_in(client)
    confirm = client.get("/accounts/2fa/totp/activate/", follow=True)
    if "Confirm that it is you" in confirm.content.decode():
        client.post(
            confirm.request["PATH_INFO"], {"password": PASSWORD, "next": "/accounts/2fa/totp/activate/"}
        )
    page = client.get("/accounts/2fa/totp/activate/")
    assert_passes_the_content_policy(page)
    assert "<svg" in page.content.decode()
    secret = re.search(r'id="authenticator_secret" value="([A-Z2-7]+)"', page.content.decode())
    assert secret is not None
    codes = client.post("/accounts/2fa/totp/activate/", {"code": code_of(secret[1])}, follow=True)
    assert_passes_the_content_policy(codes)
    assert Authenticator.objects.filter(user=user("bob"), type="totp").exists()

    other = Client()
    step = other.post(LOGIN, {"login": "bob@example.com", "password": PASSWORD}, follow=True)
    assert "One more step" in text_of(step.content.decode())
    assert_passes_the_content_policy(step)
    assert "_auth_user_id" not in other.session
    other.post("/accounts/2fa/authenticate/", {"code": "000000"})
    assert "_auth_user_id" not in other.session
    recovery = Authenticator.objects.get(user=user("bob"), type="recovery_codes").wrap().get_unused_codes()
    other.post("/accounts/2fa/authenticate/", {"code": recovery[0]})
    assert other.session["_auth_user_id"] == str(world.bob.user_id)


def test_changing_who_gets_in_asks_for_the_password_again(world: World) -> None:
    client = signed_in(world, "bob")
    for path in ("/accounts/2fa/totp/activate/", "/accounts/2fa/webauthn/add/"):
        page = client.get(path, follow=True)
        assert "Confirm that it is you" in text_of(page.content.decode())
        assert_passes_the_content_policy(page)
    again = client.post("/accounts/reauthenticate/?next=/account", {"password": "nonsense-and-more"})
    assert "That is not your password." in text_of(again.content.decode())


def test_confirming_says_where_it_leads(world: World) -> None:
    client = signed_in(world, "bob")
    back = "press the button once more"
    for said in (
        client.get("/accounts/reauthenticate/?next=/review/1"),
        client.post("/accounts/reauthenticate/", {"next": "/review/1", "password": "nonsense-and-more"}),
    ):
        assert back in text_of(said.content.decode())
    for said in (
        client.get("/accounts/reauthenticate/"),
        client.get("/accounts/reauthenticate/?next=/account"),
        client.post("/accounts/reauthenticate/", {"password": "nonsense-and-more"}),
    ):
        assert back not in text_of(said.content.decode())


def test_the_passkey_page_passes_the_content_policy(world: World) -> None:
    client = signed_in(world, "bob")
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    page = client.get("/accounts/2fa/webauthn/add/")
    assert "Add a passkey or security key" in text_of(page.content.decode())
    assert_passes_the_content_policy(page)


@pytest.mark.parametrize(
    "path",
    [
        LOGIN,
        "/accounts/signup/",
        "/accounts/inactive/",
        "/accounts/password/reset/",
        "/accounts/password/reset/done/",
    ],
)
def test_the_pages_before_the_door_pass_the_content_policy(world: World, client: Client, path: str) -> None:
    response = client.get(path)
    assert response.status_code == 200
    assert_passes_the_content_policy(response)
    assert re.search(r"<title>(?:\(\d+\) )?[A-Z][^<]+ · riskgate</title>", response.content.decode())


@pytest.mark.parametrize(
    "path",
    [
        "/account",
        "/accounts/logout/",
        "/accounts/password/change/",
        "/accounts/2fa/",
        "/accounts/2fa/webauthn/",
    ],
)
def test_the_pages_of_an_account_pass_the_content_policy(world: World, path: str) -> None:
    response = signed_in(world, "erin").get(path)
    assert response.status_code == 200
    assert_passes_the_content_policy(response)
    assert re.search(r"<title>(?:\(\d+\) )?[A-Z][^<]+ · riskgate</title>", response.content.decode())


def test_bob_reads_who_he_is(world: World) -> None:
    words = text_of(signed_in(world, "bob").get("/account").content.decode())
    assert "bob@example.com" in words
    assert "Payments, operator" in words


def test_a_person_without_a_team_is_told_whom_to_ask(db: None) -> None:
    person = get_user_model().objects.create_user(email="zoe@example.com", password=PASSWORD, name="Zoe")
    client = Client()
    client.force_login(person)
    assert "Ask an admin to add you to a team." in text_of(client.get("/account").content.decode())
