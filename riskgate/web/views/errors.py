"""Pages for what went wrong. Each says what to do next."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

API = "/api/"


class Pages:
    """Middleware: what every page has in common, whoever made it.

    No page is kept by a browser or a proxy: most hold what only their reader may see. And where Django answers
    "method not allowed" with nothing at all, a person is given a page.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.get("Content-Type", "").startswith("text/html"):
            response.headers.setdefault("Cache-Control", "no-store")
        if (
            response.status_code != 405
            or response.streaming
            or response.content
            or request.path.startswith(API)
        ):
            return response
        page = render(request, "errors/405.html", status=405)
        page["Allow"] = response["Allow"]
        return page
