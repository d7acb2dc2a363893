"""The client against the whole application, and against a server that is having a bad day."""

import json
import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from riskgate.client import Client, errors
from riskgate.services import approvals, grants
from riskgate.storage.models import Agent, Call
from tests import people
from tests.people import World


def view(world: World, action_id: str) -> people.CallView:
    return people.reread(world, Call.objects.get(id=action_id))  # type: ignore[arg-type]


def test_a_harmless_action_goes_all_the_way(world: World, client: Client) -> None:
    action = client.submit(**people.LOW, session="run-1")
    assert (action.status, action.level, action.claimable, action.waiting) == ("approved", "LOW", True, False)
    assert action.decision is not None
    assert action.decision.reason_code == "auto_approved"
    assert client.claim(action).count(".") == 2
    done = client.report(action.id, succeeded=True, output={"users": 3})
    assert (done.status, done.next) == ("succeeded", "stop")
    assert view(world, action.id).output == {"users": 3}


def test_a_risky_action_waits_for_bob(world: World, client: Client) -> None:
    action = client.submit(**people.HIGH)
    assert (action.status, action.level, action.waiting) == ("pending", "HIGH", True)
    assert action.body["args"] == ["usr_123"]
    with pytest.raises(errors.WrongState):
        client.claim(action)
    people.approve(world.bob, view(world, action.id))
    approved = client.decided(action.id)
    assert approved.claimable
    client.claim(approved)
    assert client.report(action.id, succeeded=False, error="no such user").status == "failed"


def test_a_denied_action_is_told_with_the_reason_and_without_a_name(world: World, client: Client) -> None:
    action = client.submit(**people.HIGH)
    approvals.deny(member=world.bob, call_id=view(world, action.id).id, reason="Not on a Friday.")
    denied = client.get(action.id)
    assert (denied.status, denied.next) == ("denied", "stop")
    assert denied.decision is not None
    assert denied.decision.message == "Not on a Friday."
    assert "Okafor" not in json.dumps(denied.body)


def test_an_action_can_be_withdrawn(client: Client) -> None:
    action = client.submit(**people.HIGH)
    assert client.cancel(action.id).status == "cancelled"
    with pytest.raises(errors.WrongState):
        client.cancel(action.id)


def test_waiting_ends_in_time_where_nobody_decides(client: Client) -> None:
    action = client.submit(**people.HIGH)
    started = time.monotonic()
    assert client.decided(action.id, within=0.4).waiting
    assert 0.3 < time.monotonic() - started < 5


def test_the_same_key_is_the_same_action(client: Client) -> None:
    first = client.submit(**people.HIGH, idempotency_key="once")
    assert client.submit(**people.HIGH, idempotency_key="once").id == first.id
    assert client.submit(**people.HIGH).id != first.id
    with pytest.raises(errors.Invalid):
        client.submit(**people.LOW, idempotency_key="once")


def test_a_score_is_told_and_nothing_is_stored(client: Client) -> None:
    answer = client.score(
        "delete_user", ["usr_123"], {"env": "production"}, docstring=people.HIGH["docstring"]
    )
    assert (answer["score"], answer["level"]) == (0.72, "HIGH")
    assert Call.objects.count() == 0


def test_the_list_goes_through_all_pages(client: Client) -> None:
    submitted = [client.submit(**people.HIGH, session=f"run-{number}").id for number in range(5)]
    client.submit(**people.LOW)
    assert [action.id for action in client.list(status="pending", limit=2)] == submitted[::-1]


def test_every_refusal_has_its_own_error_and_a_sentence(world: World, client: Client) -> None:
    with pytest.raises(errors.NotFound) as missing:
        client.get("0199aaaa-0000-7000-8000-000000000000")
    assert missing.value.message
    assert missing.value.type.startswith("http")
    with pytest.raises(errors.Invalid) as bad:
        client.submit("delete_user", hints={"x": {"y": 1}})
    assert bad.value.pointer == "/hints/x"
    action = client.submit(**people.LOW)
    Agent.objects.filter(id=world.agent.agent_id).update(paused_at=people.utcnow())
    with pytest.raises(errors.Paused):
        client.claim(action)
    Agent.objects.update(paused_at=None)
    Call.objects.filter(id=action.id).update(use_by=people.utcnow())
    with pytest.raises(errors.Expired):
        client.claim(action)


def test_another_digest_than_the_approved_one_is_refused(client: Client) -> None:
    action, other = client.submit(**people.LOW), client.submit(**people.LOW)
    mixed = type(action)(
        **{name: getattr(action, name) for name in action.__slots__} | {"action_digest": other.action_digest}
    )
    with pytest.raises(errors.DigestDiffers):
        client.claim(mixed)


def test_a_key_that_is_no_key_is_refused(world: World, client: Client) -> None:
    stranger = Client(client.url, "rg_nobody", patience=5)
    with stranger, pytest.raises(errors.Unauthorized):
        stranger.submit(**people.LOW)


def test_the_server_s_keys_are_those_that_sign(client: Client, db: None) -> None:
    assert client.public_keys() == grants.jwks()


def test_an_address_that_is_none_is_refused_at_once() -> None:
    for address in ("localhost:8000", "ftp://gate.example", "", "/api"):
        with pytest.raises(ValueError, match="address"):
            Client(address, "rg_x")


# ------------------------------------------------------------------ a bad day


class BadDay(ThreadingHTTPServer):
    """Answers what `script` says, one line a request, and keeps what it was sent."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answering)
        self.script: list[tuple[int, dict[str, str], bytes]] = []
        self.keys: list[str | None] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Answering(BaseHTTPRequestHandler):
    server: BadDay
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.server.keys.append(self.headers["Idempotency-Key"])
        status, headers, body = self.server.script.pop(0)
        if status == 0:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def bad_day() -> Iterator[BadDay]:
    with BadDay() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


GOOD = (200, {"Content-Type": "application/json"}, b'{"level": "LOW"}')


def test_a_request_that_meets_a_closed_door_is_sent_again_under_the_same_key(bad_day: BadDay) -> None:
    bad_day.script = [(0, {}, b""), (502, {}, b"<html>"), (429, {"Retry-After": "0"}, b"{}"), GOOD]
    with Client(bad_day.url, "rg_x", patience=30) as client:
        assert client.score("get_users") == {"level": "LOW"}
    assert len(bad_day.keys) == 4
    assert len(set(bad_day.keys)) == 1


def test_the_server_says_how_long_to_wait(bad_day: BadDay) -> None:
    bad_day.script = [(429, {"Retry-After": "1"}, b"{}"), GOOD]
    started = time.monotonic()
    with Client(bad_day.url, "rg_x", patience=30) as client:
        client.score("get_users")
    assert time.monotonic() - started >= 1


def test_patience_ends(bad_day: BadDay) -> None:
    bad_day.script = [(503, {}, b'{"title": "Away for a moment."}')] * 9
    with (
        Client(bad_day.url, "rg_x", patience=0.2) as client,
        pytest.raises(errors.ServerTrouble, match=r"Away for a moment\."),
    ):
        client.score("get_users")


def test_a_refusal_is_not_tried_again(bad_day: BadDay) -> None:
    bad_day.script = [(422, {}, b'{"detail": "No.", "pointer": "/args"}')]
    with (
        Client(bad_day.url, "rg_x", patience=30) as client,
        pytest.raises(errors.Invalid, match=r"No\.") as refused,
    ):
        client.score("get_users")
    assert refused.value.pointer == "/args"


def test_a_redirect_is_not_followed_with_the_key(bad_day: BadDay) -> None:
    bad_day.script = [(302, {"Location": f"{bad_day.url}/elsewhere"}, b""), GOOD]
    with Client(bad_day.url, "rg_x", patience=30) as client, pytest.raises(errors.Problem):
        client.score("get_users")
    assert len(bad_day.keys) == 1


@pytest.mark.parametrize("body", [b"<html>", b"[]", b"null", b"\xff", b"{}"])
def test_an_answer_that_is_none_of_riskgate_is_said_so(bad_day: BadDay, body: bytes) -> None:
    bad_day.script = [(200, {}, body)]
    with Client(bad_day.url, "rg_x", patience=0) as client, pytest.raises(errors.Unreadable):
        client.submit("get_users")


def test_nobody_there_is_said_so() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with (
            Client(url, "rg_x", patience=0) as client,
            pytest.raises(errors.Unreachable, match="does not answer"),
        ):
            client.submit("get_users")
