"""What went wrong is a page in the product's words, and says what to do next."""

import pytest
from django.template.loader import render_to_string
from django.test import Client, RequestFactory
from django.views import defaults

from riskgate.web.views.errors import Pages
from tests.people import World
from tests.web.pages import assert_passes_the_content_policy, signed_in, text_of


def test_an_unknown_address_is_a_page_for_strangers_and_members(world: World) -> None:
    for client in (Client(), signed_in(world, "bob")):
        response = client.get("/nothing/here")
        assert response.status_code == 404
        assert "There is nothing here" in text_of(response.content.decode())
        assert "Go to the queue" in text_of(response.content.decode())
        assert_passes_the_content_policy(response)


def test_the_page_for_a_failure_needs_neither_request_nor_database() -> None:
    response = defaults.server_error(RequestFactory().get("/"))
    assert response.status_code == 500
    words = text_of(response.content.decode())
    assert "Something went wrong here" in words
    assert "reload the page" in words


def test_the_page_for_an_unreadable_request_needs_neither_as_well() -> None:
    response = defaults.bad_request(RequestFactory().get("/"), ValueError())
    assert response.status_code == 400
    assert "could not be read" in text_of(response.content.decode())


@pytest.mark.parametrize("name", ["403.html", "404.html", "403_csrf.html", "429.html", "errors/405.html"])
def test_each_says_what_to_do_next_even_without_a_request(name: str) -> None:
    page = render_to_string(name)
    assert "<h1>" in page
    assert 'class="button' in page


def test_a_fault_of_the_program_is_a_page_and_not_a_trace(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(**_: object) -> None:
        raise ZeroDivisionError("kaputt")

    monkeypatch.setattr("riskgate.services.history.page", breaks)
    client = signed_in(world, "bob")
    client.raise_request_exception = False
    response = client.get("/history")
    assert response.status_code == 500
    assert "kaputt" not in response.content.decode()
    assert_passes_the_content_policy(response)


def test_the_programs_of_agents_get_no_pages(db: None) -> None:
    from django.http import HttpResponseNotAllowed

    refuse = Pages(lambda request: HttpResponseNotAllowed(["POST"]))
    assert refuse(RequestFactory().get("/api/v1/score")).content == b""


def test_nothing_is_for_search_engines(client: Client) -> None:
    response = client.get("/robots.txt")
    assert response.headers["Content-Type"].startswith("text/plain")
    assert response.content == b"User-agent: *\nDisallow: /\n"


@pytest.mark.parametrize("path", ["/accounts/2fa/", "/account", "/accounts/login/", "/history", "/nowhere"])
def test_no_page_is_kept_by_a_browser_or_a_proxy(world: World, path: str) -> None:
    response = signed_in(world, "bob").get(path)
    assert "no-store" in response.headers["Cache-Control"] or "no-cache" in response.headers["Cache-Control"]
