"""The frame around every page: teams, the stream, and what the assets may hold."""

import hashlib
import re
import tomllib
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from riskgate.core.roles import Role
from riskgate.services import teams
from tests.people import HIGH, PASSWORD, World, submit, utcnow
from tests.web.pages import signed_in, text_of

STATIC = Path(settings.BASE_DIR) / "static"
VENDOR = STATIC / "vendor"


def joined(world: World, who: str, team_id: object) -> Client:
    member = world.members[who]
    teams.add_member(
        team_id=team_id,  # type: ignore[arg-type]
        email=member.email,
        name=member.user_name,
        password=PASSWORD,
        role=Role.OPERATOR,
        now=utcnow(),
    )
    return signed_in(world, who)


def test_bob_in_two_teams_goes_from_one_to_the_other(world: World) -> None:
    submit(world, HIGH)
    bob = joined(world, "bob", world.eve.team_id)
    assert "Harbour" in text_of(bob.get("/").content.decode())
    bob.post(reverse("team"), {"team": str(world.bob.team_id)})
    assert "delete_user" in bob.get("/").content.decode()
    bob.post(reverse("team"), {"team": str(world.eve.team_id)})
    assert "delete_user" not in bob.get("/").content.decode()


@pytest.mark.parametrize("team", ["", "nonsense", "harbour"])
def test_nobody_goes_to_a_team_that_is_not_theirs(world: World, team: str) -> None:
    bob = signed_in(world, "bob")
    wanted = str(world.eve.team_id) if team == "harbour" else team
    assert bob.post(reverse("team"), {"team": wanted}).status_code == 404
    assert "Payments" in text_of(bob.get("/").content.decode())


def test_the_team_is_not_changed_by_a_link(world: World) -> None:
    assert signed_in(world, "bob").get(reverse("team")).status_code == 405


def test_somebody_in_no_team_reads_what_to_do(db: None) -> None:
    client = Client()
    client.force_login(
        get_user_model().objects.create_user(email="zoe@example.com", name="Zoe", password=PASSWORD)
    )
    response = client.get("/")
    assert response.status_code == 403
    assert "Ask an admin to add zoe@example.com to a team" in text_of(response.content.decode())


def test_the_stream_is_of_the_own_team_alone(world: World) -> None:
    bob = signed_in(world, "bob")
    assert bob.get(reverse("live"))["X-Riskgate-Stream"] == f"team:{world.bob.team_id}"
    assert bob.get(reverse("live"), {"team": str(world.bob.team_id)}).status_code == 200
    refused = bob.get(reverse("live"), {"team": str(world.eve.team_id)})
    assert refused.status_code == 403
    assert "X-Riskgate-Stream" not in refused


def test_a_stranger_hears_nothing(client: Client, db: None) -> None:
    response = client.get(reverse("live"))
    assert response.status_code == 403
    assert "X-Riskgate-Stream" not in response


def test_there_is_a_catalogue_only_where_one_debugs(world: World) -> None:
    assert signed_in(world, "bob").get("/catalogue").status_code == 404


# ------------------------------------------------------------------ assets


def test_what_is_kept_of_others_is_unchanged_and_has_its_licence() -> None:
    packages = tomllib.loads((VENDOR / "VENDOR.toml").read_text())
    listed = {name: digest for package in packages.values() for name, digest in package["files"].items()}
    kept = {
        path.relative_to(VENDOR).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in VENDOR.rglob("*")
        if path.is_file() and path.name != "VENDOR.toml"
    }
    assert kept == listed
    for package in packages.values():
        assert any(name.endswith("LICENSE") for name in package["files"])


COLOUR = re.compile(
    r"#[0-9a-fA-F]{3,8}\b|\b(?:rgb|hsl|oklch|lab)a?\(|\b(?:white|black|red|orange|teal|gr[ae]y)\b"
)


def test_only_the_tokens_name_a_colour() -> None:
    for sheet in sorted((STATIC / "css").glob("*.css")):
        rules = re.sub(r"/\*.*?\*/", "", sheet.read_text(), flags=re.DOTALL)
        values = "\n".join(re.findall(r":\s*([^;{}]+);", rules))
        if sheet.name != "tokens.css":
            assert COLOUR.findall(values) == [], sheet.name


def test_every_token_that_is_used_is_there() -> None:
    sheets = {sheet: sheet.read_text() for sheet in (STATIC / "css").glob("*.css")}
    made = {name for text in sheets.values() for name in re.findall(r"(--[\w-]+)\s*:", text)}
    used = {name for text in sheets.values() for name in re.findall(r"var\((--[\w-]+)", text)}
    assert used - made == set()


def test_no_script_makes_markup_or_styles() -> None:
    for script in (STATIC / "js").glob("*.js"):
        text = script.read_text()
        for forbidden in (
            ".innerHTML",
            ".outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            ".style",
        ):
            assert forbidden not in text, (script.name, forbidden)
