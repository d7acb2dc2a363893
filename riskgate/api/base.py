"""What every endpoint shares: who asks, what was sent, and how a refusal looks."""

from datetime import UTC, datetime
from typing import Any, TypeVar, cast

from rest_framework.authentication import BaseAuthentication
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.request import Request
from rest_framework.views import APIView

from riskgate.api import idempotency, inputs, metrics, problems, strict_json, throttles
from riskgate.api.authentication import ApiKeyAuthentication
from riskgate.api.problems import Problem
from riskgate.services import policies
from riskgate.services.shapes import AgentPrincipal, Idempotency

Given = TypeVar("Given", bound=inputs.Input)
ACCEPTED = {"", "*/*", "application/*", "application/json", problems.CONTENT_TYPE}


class OnlyJson(BaseContentNegotiation):
    """There is one way to answer; a client that wants another is told so."""

    def select_renderer(
        self, request: Request, renderers: Any, format_suffix: Any = None
    ) -> tuple[None, str]:
        accept = request.headers.get("Accept", "")
        if ACCEPTED.isdisjoint(part.partition(";")[0].strip().lower() for part in accept.split(",")):
            raise Problem("not_acceptable", "Only JSON is answered here. Accept application/json.")
        return None, "application/json"


class OpenEndpoint(APIView):
    """An endpoint for anybody. There is no session here and no cookie, so nothing to forge a request with."""

    http_method_names = ("get", "head", "post")
    authentication_classes: tuple[type[BaseAuthentication], ...] = ()
    permission_classes = ()
    throttle_classes = ()
    parser_classes = ()
    renderer_classes = ()
    content_negotiation_class = OnlyJson

    def get_exception_handler(self) -> Any:
        return problems.handle

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if request.method == "POST":
            self.query(inputs.Nothing)

    def finalize_response(self, request: Any, response: Any, *args: Any, **kwargs: Any) -> Any:
        metrics.count(request, response)
        return super().finalize_response(request, response, *args, **kwargs)

    def query(self, kind: type[Given]) -> Given:
        """The query string. Raises Problem."""
        return inputs.from_query(self.request.GET, kind)


class Endpoint(OpenEndpoint):
    """An endpoint for agents: without a valid key nothing of it runs."""

    authentication_classes = (ApiKeyAuthentication,)
    raw = b""
    """The body's bytes, once it is read."""

    @property
    def principal(self) -> AgentPrincipal:
        return cast(AgentPrincipal, self.request.user)

    def now(self) -> datetime:
        return datetime.now(UTC)

    def body(self, kind: type[Given], *, optional: bool = False) -> Given:
        """The body, read strictly. `optional`: an empty one is as good as {}. Raises Problem, JsonRefused."""
        self.read(optional=optional)
        self.charge()
        return inputs.from_body(strict_json.loads(self.raw) if self.raw else {}, kind)

    def read(self, *, most: int | None = None, optional: bool = False) -> None:
        """Takes in `raw`: of at most `most` bytes, else of what one action may have. Raises Problem."""
        length = self._length()
        if not length and not optional:
            raise Problem("json_refused", "There is no body. Send a JSON object.", offset=0)
        self.check_size("The body", length, most or self.most_of(length))
        if length:
            self._check_media_type()
            self.raw = self.request.read(length)

    def charge(self, actions: int = 1) -> None:
        """Has what was read counted by its size. Raises Problem."""
        throttles.charge(self.request.auth, self.principal.team_id, length=len(self.raw), actions=actions)

    def check_size(self, what: str, length: int, most: int) -> None:
        """Raises Problem."""
        if length > most:
            raise Problem("body_too_large", f"{what} has {length} bytes; at most {most} are taken.")

    def most_of(self, length: int) -> int:
        """How many bytes one action may have; the policy is only asked where `length` could depend on it."""
        if strict_json.BODY < length <= strict_json.BODY_MOST:
            policy, _ = policies.active(team_id=self.principal.team_id)
            return max(strict_json.BODY, policy.body_limit)
        return strict_json.BODY

    def idempotency(self) -> Idempotency | None:
        """What the Idempotency-Key says; to be asked after the body was read. Raises Problem."""
        return idempotency.read(self.request, self.raw)

    def _length(self) -> int:
        given = self.request.META.get("CONTENT_LENGTH") or "0"
        length = int(given) if given.isascii() and given.isdigit() and len(given) < 16 else -1
        if length < 0:
            raise Problem("bad_request", "Content-Length must be a number.", header="Content-Length")
        return length

    def _check_media_type(self) -> None:
        media_type = self.request.META.get("CONTENT_TYPE", "").partition(";")[0].strip().lower()
        if media_type != "application/json":
            raise Problem(
                "unsupported_media_type", "Send the body as JSON, with `Content-Type: application/json`."
            )
        if self.request.headers.get("Content-Encoding", "identity").strip().lower() != "identity":
            raise Problem("unsupported_media_type", "Send the body without a Content-Encoding.")


class NoSuchAddress(OpenEndpoint):
    """Every path under /api/ that leads nowhere."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise Problem("not_found", "There is nothing at this address. /api/docs/ lists what there is.")
