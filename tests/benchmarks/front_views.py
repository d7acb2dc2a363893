"""Django with three views and nothing else, as a WSGI application and behind the front."""

import time

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest, HttpResponse
from django.urls import path

from riskgate.config.front import Front
from tests.config.front_app import database

BIG = b"x" * 262_144


def nothing(request: HttpRequest) -> HttpResponse:
    return HttpResponse(b"ok", headers={"Content-Length": "2"})


def work(request: HttpRequest) -> HttpResponse:
    """As much Python as a small action costs."""
    until = time.thread_time() + 0.0006
    while time.thread_time() < until:
        pass
    return HttpResponse(b"ok", headers={"Content-Length": "2"})


def big(request: HttpRequest) -> HttpResponse:
    return HttpResponse(BIG, headers={"Content-Length": str(len(BIG))})


urlpatterns = [path("nothing", nothing), path("work", work), path("big", big)]

settings.configure(
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    MIDDLEWARE=[],
    SECRET_KEY="only for measuring",
    LOGGING_CONFIG=None,
)

django = get_wsgi_application()
front = Front(
    django,
    database=database(),
    threads=10,
    public_url="http://localhost:8000",
)
