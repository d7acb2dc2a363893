"""What the front answers by itself, where no view was asked: problems (RFC 9457)."""

import json
from dataclasses import dataclass
from http import HTTPStatus

from riskgate.config.front.protocol import Headers, Send


@dataclass(eq=False)
class Refused(Exception):
    """This request is answered here and now.

    `code` is that of a documented problem, or "" where the status says it all.
    """

    status: HTTPStatus
    detail: str
    code: str = ""
    retry_after: int | None = None


def busy(what: str, *, retry_after: int) -> Refused:
    return Refused(HTTPStatus.SERVICE_UNAVAILABLE, f"{what}: try again later.", retry_after=retry_after)


def broken() -> Refused:
    return Refused(HTTPStatus.INTERNAL_SERVER_ERROR, "Something went wrong here; it has been written down.")


async def send_refusal(send: Send, refused: Refused, *, public_url: str) -> None:
    problem = {
        "type": f"{public_url}/api/docs/problems#{refused.code}" if refused.code else "about:blank",
        "title": refused.status.phrase,
        "status": refused.status.value,
        "detail": refused.detail,
    }
    body = json.dumps(problem).encode()
    headers: Headers = [
        (b"content-type", b"application/problem+json"),
        (b"content-length", b"%d" % len(body)),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
    ]
    if refused.retry_after is not None:
        headers.append((b"retry-after", b"%d" % refused.retry_after))
    await send({"type": "http.response.start", "status": refused.status.value, "headers": headers})
    await send({"type": "http.response.body", "body": body})
