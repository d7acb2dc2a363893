"""An agent that plays the bundled sample at a human pace, and speaks nothing but the public API.

    python -m riskgate.client.demo_agent --config DIR/demo.json [--pace SECONDS] [--once]

It keeps a few stories open at once, so that one that waits for a person does not stop the others.
What it "runs" it only pretends to run.
"""

import argparse
import json
import logging
import math
import random
import secrets
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType

from riskgate.client.demo_sample import Step, Story, load, stories
from riskgate.client.errors import ClientError, GrantInvalid, Paused, Unauthorized
from riskgate.client.http import Action, Client
from riskgate.client.verify import Verifier

WINDOW = 4
"""Stories that go on at once, beside those that wait for a person."""
MOST_WAITING = 12
"""So many actions may wait for people; then only what needs nobody is asked for."""
OPENING = 6
"""The first steps come quickly, so that whoever has just signed in sees something of each level."""
OPENING_PACE = 1.5
PAUSED_PACE = 5.0

log = logging.getLogger("demo")


class DemoAgent:
    """`pace` is the mean of the seconds between two actions; `work` answers for how long an action "runs"."""

    def __init__(
        self,
        client: Client,
        steps: Sequence[Step],
        *,
        pace: float = 6.0,
        work: Callable[[], float] = lambda: random.uniform(0.5, 2.5),
    ) -> None:
        self._client = client
        self._verifier = Verifier(client.public_keys)
        self._steps = steps
        self._pace = pace
        self._work = work
        self._changed = threading.Condition()
        self._open: list[Story] = []
        self._closed: list[Story] = []
        """Of this round, not yet begun."""

    def play(self, *, once: bool = False) -> None:
        """Plays for ever, or `once` through: then what still waits for a person is left waiting.

        Raises Unauthorized where the key is no good (any more).
        """
        for status in ("pending", "approved"):
            for action in self._client.list(status=status):
                self._take_up(action)
        self._closed = stories(self._steps, secrets.token_hex(2))
        taken = 0
        while True:
            story = self._next(once)
            if story is None:
                return
            self._step(story)
            taken += 1
            usual = self._pace * random.uniform(2 / 3, 4 / 3)
            time.sleep(min(usual, OPENING_PACE) if taken < OPENING else usual)

    def _take_up(self, action: Action) -> None:
        """Goes on with an action that an earlier run of this agent left behind."""
        story = Story("found again", str(action.body["session"]), [])
        self._open.append(story)
        self._follow(story, Step.found(action), action)

    def _next(self, once: bool) -> Story | None:
        """The story whose turn it is. Waits until there is one; None where the sample was played once."""
        with self._changed:
            while True:
                self._open = [story for story in self._open if not story.over]
                while self._closed and sum(not story.waiting for story in self._open) < WINDOW:
                    self._open.append(self._closed.pop(0))
                ready = next((story for story in self._open if not story.busy), None)
                if ready is not None:
                    # To the end of the line, so that the stories take turns.
                    self._open.remove(ready)
                    self._open.append(ready)
                    return ready
                if self._closed or any(not story.waiting for story in self._open):
                    self._changed.wait()
                elif once:
                    return None
                else:
                    self._closed = stories(self._steps, secrets.token_hex(2))
                    random.shuffle(self._closed)

    def _step(self, story: Story) -> None:
        step = story.steps.pop(0)
        what = f"{story.name}: {step.signature}"
        try:
            if self._waiting() >= MOST_WAITING and self._level(story, step) != "LOW":
                log.info("%s left out: %d actions wait for people already", what, MOST_WAITING)
                return
            action = self._client.submit(
                step.function_name,
                step.args,
                step.kwargs,
                session=story.session,
                docstring=step.docstring,
                hints=dict(step.hints),
                reason=step.reason,
                supersedes=step.supersedes,
            )
        except Unauthorized:
            raise
        except ClientError as error:
            log.warning("%s could not be submitted: %s", what, error)
            return
        story.counts[step.function_name] += 1
        ending = "waits for people" if action.waiting else action.status
        log.info("%s is %s (%.2f): %s", what, action.level, action.score, ending)
        self._follow(story, step, action)

    def _waiting(self) -> int:
        with self._changed:
            return sum(story.waiting for story in self._open)

    def _level(self, story: Story, step: Step) -> str:
        answer = self._client.score(
            step.function_name,
            step.args,
            step.kwargs,
            docstring=step.docstring,
            hints=dict(step.hints),
            prior_calls=story.counts[step.function_name],
        )
        return str(answer["level"])

    def _follow(self, story: Story, step: Step, action: Action) -> None:
        with self._changed:
            story.busy, story.waiting = True, action.waiting
        threading.Thread(
            target=self._see_through, args=(story, step, action), name=f"demo {action.id}", daemon=True
        ).start()

    def _see_through(self, story: Story, step: Step, action: Action) -> None:
        what = f"{story.name}: {step.signature}"
        try:
            if action.waiting:
                action = self._client.decided(action.id)
                with self._changed:
                    story.waiting = False
                    self._changed.notify_all()
            if action.claimable:
                self._run(what, step, action)
                return
            said = action.decision.message if action.decision else ""
            log.info("%s is %s. %s", what, action.status, said)
            if action.next == "revise" and step.supersedes is None:
                story.steps.insert(0, step.revised(action))
            elif action.status != "expired":
                story.steps.clear()  # somebody said no: the story ends here
        except ClientError as error:
            log.warning("%s: %s", what, error)
        finally:
            with self._changed:
                story.busy = story.waiting = False
                self._changed.notify_all()

    def _run(self, what: str, step: Step, action: Action) -> None:
        """Claims, checks the grant against what is about to run, pretends to run it, and reports."""
        token = self._claim(what, action)
        try:
            self._verifier.check(token, step.function_name, step.args, step.kwargs, action_id=action.id)
        except GrantInvalid as error:
            log.warning("%s does not run: %s", what, error)
            self._client.report(action.id, succeeded=False, error=error.message)
            return
        time.sleep(self._work())
        if step.error is not None:
            self._client.report(action.id, succeeded=False, error=step.error)
            log.info("%s failed: %s", what, step.error)
        else:
            self._client.report(action.id, succeeded=True, output=step.output)
            log.info("%s done", what)

    def _claim(self, what: str, action: Action) -> str:
        told = False
        while True:
            try:
                return self._client.claim(action)
            except Paused as error:
                if not told:
                    log.info("%s waits: %s", what, error)
                told = True
                time.sleep(PAUSED_PACE)


class Repeated(logging.Filter):
    """Twelve threads that meet the same closed door say so once in ten seconds."""

    def __init__(self) -> None:
        super().__init__()
        self._said: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return True
        text, now = record.getMessage(), time.monotonic()
        if now - self._said.get(text, -math.inf) < 10:
            return False
        self._said = {each: at for each, at in self._said.items() if now - at < 10}
        self._said[text] = now
        return True


def _stop(number: int, frame: FrameType | None) -> None:
    sys.exit(0)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="demo_agent", description="Plays the sample.")
    parser.add_argument(
        "--config", type=Path, required=True, help="what `manage.py demo` wrote: DIR/demo.json"
    )
    parser.add_argument(
        "--pace", type=float, default=6.0, help="mean seconds between two actions: %(default)s"
    )
    parser.add_argument("--once", action="store_true", help="play the sample once and end")
    options = parser.parse_args(arguments)
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(logging.Formatter("%(message)s"))
    handler.addFilter(Repeated())
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    logging.getLogger("httpx").setLevel(logging.WARNING)
    signal.signal(signal.SIGTERM, _stop)
    try:
        config = json.loads(options.config.read_text(encoding="utf-8"))
        url, api_key = config["url"], config["api_key"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        parser.error(f"{options.config} cannot be read ({error}): make it with `manage.py demo`")
    # Not closed at the end: threads that wait for people still use it, and end with the process.
    client = Client(url, api_key, patience=math.inf)
    try:
        DemoAgent(client, load(), pace=options.pace).play(once=options.once)
    except Unauthorized as error:
        log.error("The key in %s is no good: %s Run `manage.py demo` again.", options.config, error)
        return 1
    except KeyboardInterrupt:
        pass
    return 0


if __name__ == "__main__":
    sys.exit(main())
