"""The operators of a crash round: some decide by the services, from another process than the web server; alice by
her browser's forms.
"""

import random
import re
import threading
from collections.abc import Callable

import httpx
from django.db import Error, connection

from riskgate.core.errors import RiskgateError
from riskgate.core.lifecycle import Status
from riskgate.services import approvals
from riskgate.services.shapes import Member
from riskgate.storage.models import Call
from tests import people
from tests.crashes.agents import LEFT_ALONE, TO_REVOKE
from tests.crashes.ledger import Ledger

REASON = "Say whose it is."


class Operator(threading.Thread):
    """Decides what waits until `stop` is set, as this person."""

    def __init__(self, member: Member, ledger: Ledger, stop: threading.Event, seed: int) -> None:
        super().__init__(name=member.user_name, daemon=True)
        self.member, self.ledger, self.stop = member, ledger, stop
        self.random = random.Random(seed)

    def run(self) -> None:
        while not self.stop.is_set():
            try:
                self.decide_one()
            except (RiskgateError, Error, httpx.HTTPError):
                pass  # somebody was faster, or something was just killed: what is not known is not noted
            except Exception as error:
                self.ledger.disagree(f"{self.name} met what nobody expects: {error!r}")
            finally:
                connection.close()
            self.stop.wait(self.random.uniform(0.02, 0.1))

    def decide_one(self) -> None:
        verb: Callable[[Call], None] = self.random.choices(
            [self.approve, self.deny, self.send_back, self.revoke], [7, 1, 1, 1]
        )[0]
        approved = verb == self.revoke
        status = Status.APPROVED if approved else Status.PENDING
        calls = Call.objects.filter(team_id=self.member.team_id, status=status).exclude(reason=LEFT_ALONE)
        if approved:
            calls = calls.filter(reason=TO_REVOKE)
        waiting = list(calls.order_by("-created_at")[:20])
        if waiting:
            verb(self.random.choice(waiting))

    def approve(self, call: Call) -> None:
        self.ledger.attempt(call.id, "approved")
        attempt = people.start(self.member, call)  # type: ignore[arg-type]
        people.wait_out(attempt)
        result = people.answer(self.member, call, attempt, people.right_answers(attempt))  # type: ignore[arg-type]
        if result.passed:
            self.ledger.add(call.id, "voted", by=self.member.user_id)
        if result.status is Status.APPROVED:
            self.ledger.add(call.id, "approved", by=self.member.user_id)

    def deny(self, call: Call) -> None:
        self.ledger.attempt(call.id, "denied")
        approvals.deny(member=self.member, call_id=call.id)
        self.ledger.add(call.id, "denied", by=self.member.user_id)

    def send_back(self, call: Call) -> None:
        self.ledger.attempt(call.id, "returned")
        approvals.send_back(member=self.member, call_id=call.id, reason=REASON)
        self.ledger.add(call.id, "returned", by=self.member.user_id)

    def revoke(self, call: Call) -> None:
        self.ledger.attempt(call.id, "revoked")
        approvals.revoke(member=self.member, call_id=call.id)
        self.ledger.add(call.id, "revoked", by=self.member.user_id)


class AtTheBrowser(Operator):
    """Signs in, looks at the queue, denies or sends back by the forms of the pages."""

    def __init__(self, url: str, member: Member, ledger: Ledger, stop: threading.Event, seed: int) -> None:
        super().__init__(member, ledger, stop, seed)
        self.browser = httpx.Client(base_url=url, timeout=15, trust_env=False, follow_redirects=True)

    def run(self) -> None:
        with self.browser:
            super().run()

    def decide_one(self) -> None:
        queue = self.browser.get("/")
        if 'type="password"' in queue.text:
            self._sign_in(queue)
            return
        shown = sorted(set(re.findall(r"/review/([0-9a-f-]{36})", queue.text)))
        if not shown:
            return
        review = self.browser.get(f"/review/{self.random.choice(shown)}")
        if review.status_code != 200 or LEFT_ALONE in review.text or "/deny" not in review.text:
            return
        status, where, fields = self.random.choice(
            [("denied", "deny", {}), ("returned", "send-back", {"reason": REASON})]
        )
        call_id = review.url.path.split("/")[-1]
        self.ledger.attempt(call_id, status)
        told = self.browser.post(
            f"/review/{call_id}/{where}",
            data={"csrfmiddlewaretoken": _token(review), **fields},
            follow_redirects=False,
        )
        if told.is_redirect and told.headers["Location"] == f"/review/{call_id}":
            self.ledger.add(call_id, status, by=self.member.user_id)
            self.ledger.count("decided in the browser")

    def _sign_in(self, page: httpx.Response) -> None:
        fields = {
            "csrfmiddlewaretoken": _token(page),
            "login": self.member.email,
            "password": people.PASSWORD,
        }
        self.browser.post(page.url, data=fields)


def _token(page: httpx.Response) -> str:
    found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.text)
    if found is None:
        raise httpx.DecodingError("This page has no form.")
    return found[1]
