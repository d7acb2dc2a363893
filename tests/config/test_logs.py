"""One line for each thing that happened; no secrets in it."""

import io
import json
import logging
import logging.config
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from riskgate.config import logs


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    written = io.StringIO()
    yield written
    logging.config.dictConfig(settings.LOGGING)


def configure(style: str, stream: io.StringIO, level: str = "info") -> None:
    described = logs.configuration(style, level)
    described["handlers"]["stderr"]["stream"] = stream
    logging.config.dictConfig(described)


def answered(status: int, path: str = "/review/7") -> HttpResponse:
    def view(request: HttpRequest) -> HttpResponse:
        logging.getLogger("riskgate.story").info("inside")
        return HttpResponse(status=status)

    return logs.RequestLog(view)(RequestFactory().get(path))


def test_every_line_of_a_request_carries_its_id(stream: io.StringIO) -> None:
    configure("json", stream)
    response = answered(404)
    inside, request = (json.loads(line) for line in stream.getvalue().splitlines())
    assert inside["request_id"] == request["request_id"] == response["X-Request-ID"]
    assert (inside["event"], inside["logger"]) == ("inside", "riskgate.story")
    assert (request["event"], request["status"]) == ("GET /review/7", 404)


def test_requests_that_went_well_and_probes_are_not_told(stream: io.StringIO) -> None:
    configure("console", stream)
    answered(200)
    answered(503, "/readyz")
    assert stream.getvalue().count("inside") == 2
    assert "GET" not in stream.getvalue()


def test_a_traceback_shows_no_values(stream: io.StringIO) -> None:
    for style in ("json", "console"):
        configure(style, stream)
        password = "".join(["hunt", "er2"])
        try:
            raise ValueError(len(password))
        except ValueError:
            logging.getLogger("riskgate.story").exception("went wrong")
    assert stream.getvalue().count("ValueError") >= 2
    assert "hunter2" not in stream.getvalue()
