"""`manage.py demo`: two teams of demo people, an agent with a key, and the file that says how to sign in."""

import json
import secrets
from argparse import ArgumentParser
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from riskgate.cli.embedded.secrets import write_private
from riskgate.core.policy import BALANCED, Policy, Timings
from riskgate.core.roles import Role
from riskgate.services import agents, policies, teams
from riskgate.services.shapes import Member

PEOPLE = {
    "alice": ("Alice Lindqvist", "Payments", Role.ADMIN),
    "grace": ("Grace Haddad", "Payments", Role.ADMIN),
    "bob": ("Bob Okafor", "Payments", Role.OPERATOR),
    "carol": ("Carol Weber", "Payments", Role.OPERATOR),
    "dave": ("Dave Raman", "Payments", Role.AUDITOR),
    "erin": ("Erin Eze", "Payments", Role.VIEWER),
    "eve": ("Eve Moreau", "Harbour", Role.ADMIN),
}
OWNER = "alice"
AGENT = "support-copilot"
ENVIRONMENT = "production"
POLICY: Policy = replace(BALANCED, timings=replace(Timings(), use_by=300, outcome=60))
WHY = "The demo's times: five minutes to claim and one to report, so that every status can be seen soon."

WORDS = (
    "acorn amber anchor apple arbor aspen atlas autumn badger bamboo barley basil beacon birch bison "
    "blossom bonsai breeze brook butter cactus camel candle canyon cedar cello cherry cinder citrus "
    "clover cobalt comet copper coral cotton crater cricket crystal dahlia daisy delta desert dolphin "
    "dragon drum eagle echo elm ember falcon feather fern fiddle finch fjord flint forest fossil fox "
    "garden garnet ginger glacier granite grape harbor hazel heron hickory honey igloo indigo iris island "
    "ivory jasmine jasper juniper kayak kettle kiwi lagoon lantern lark laurel lemon lilac linden lotus "
    "lunar lynx magnet mango maple marble meadow melon mint mosaic moss nectar nutmeg oasis ocean olive "
    "onyx opal orbit orchid otter panda paper pebble pepper pine planet plum poppy prairie quartz quill "
    "rabbit raven reef ribbon river robin rocket saffron sage salmon sierra silver sparrow spruce summit "
    "sunset thistle thunder tiger timber topaz tulip tundra velvet violet walnut willow winter zebra "
    "zephyr"
).split()


def password() -> str:
    """Three words and four digits: easily typed from another screen, and nothing that anyone would guess."""
    words = (secrets.choice(WORDS) for _ in range(3))
    return f"{'-'.join(words)}-{secrets.randbelow(9000) + 1000}"


class Command(BaseCommand):
    help = "Makes the demo teams, people and agent where they are missing, and writes demo.json."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--data", type=Path, required=True, help="the folder for demo.json")
        parser.add_argument(
            "--url", default=None, help="where the console is reached, if not at the public URL"
        )

    def handle(self, *args: Any, data: Path, url: str | None, **options: Any) -> None:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = data / "demo.json"
        known = _read(path)
        now = datetime.now(UTC)
        with transaction.atomic():
            # The file is written before the commit: whoever finds accounts finds their passwords as well.
            demo = self._keep(known, now) if _stands(known) else self._make(known, now)
            demo["url"] = url or settings.PUBLIC_URL
            write_private(path, json.dumps(demo, indent=1) + "\n")
        self.stdout.write(f"The accounts of the demo are in {path}.")

    def _make(self, known: dict[str, Any], now: datetime) -> dict[str, Any]:
        """Everything anew; only passwords of an earlier demo are kept."""
        if teams.anybody():
            raise CommandError(
                "This database has accounts that are not of this demo; demo accounts do not go among them. "
                "Use another folder with --data, or put back the demo.json that was made with it."
            )
        team_names = dict.fromkeys(team for _, team, _ in PEOPLE.values())
        team_ids = {team: teams.create(name=team, now=now) for team in team_names}
        users: dict[str, dict[str, str]] = {}
        ids: dict[str, str] = {}
        for first_name, (name, team, role) in PEOPLE.items():
            account = known.get("users", {}).get(first_name)
            users[first_name] = account or {"email": f"{first_name}@example.com", "password": password()}
            user_id = teams.add_member(
                team_id=team_ids[team], name=name, role=role, now=now, **users[first_name]
            )
            ids[first_name] = str(user_id)
        policies.publish(member=_members(ids[OWNER])[0], policy=POLICY, reason=WHY, now=now)
        return {"url": "", "users": users, "api_key": self._new_key(_members(ids[OWNER]), now), "ids": ids}

    def _keep(self, known: dict[str, Any], now: datetime) -> dict[str, Any]:
        """What there is; a key that no longer works is replaced."""
        if agents.authenticate(token=known["api_key"]) is not None:
            return known
        admins = [
            member
            for first_name, (_, team, role) in PEOPLE.items()
            if role is Role.ADMIN
            for member in _members(known["ids"][first_name])
            if member.team_name == team == PEOPLE[OWNER][1]
        ]
        if not admins:
            raise CommandError("The demo agent's key is gone, and so is every admin who could make one.")
        return {**known, "api_key": self._new_key(tuple(admins), now)}

    def _new_key(self, admins: tuple[Member, ...], now: datetime) -> str:
        admin = admins[0]
        found = next((agent.id for agent in agents.listing(member=admin) if agent.name == AGENT), None)
        agent_id = found or agents.register(member=admin, name=AGENT, environment=ENVIRONMENT, now=now)
        return agents.make_key(member=admin, agent_id=agent_id, now=now)


def _read(path: Path) -> dict[str, Any]:
    """The demo.json of an earlier run; empty where there is none."""
    try:
        known: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if (
            known["users"].keys() != PEOPLE.keys()
            or known["ids"].keys() != PEOPLE.keys()
            or not known["api_key"]
        ):
            raise ValueError("somebody is missing")
    except FileNotFoundError:
        return {}
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        raise CommandError(f"{path} is damaged ({error}): put back the one that was made.") from error
    return known


def _members(user_id: str) -> tuple[Member, ...]:
    return teams.memberships(user_id=UUID(user_id))


def _stands(known: dict[str, Any]) -> bool:
    """The people that the file speaks of are in this database."""
    return any(_members(user_id) for user_id in known.get("ids", {}).values())
