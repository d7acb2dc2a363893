"""Pages are small on the wire; answers to agents are not held up."""

from tests.people import LOW, World, submit
from tests.web.pages import signed_in


def test_a_page_is_compressed_where_the_browser_takes_it(world: World) -> None:
    for _ in range(20):
        submit(world, LOW)
    bob = signed_in(world, "bob")
    plain = bob.get("/history")
    packed = bob.get("/history", headers={"accept-encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert len(packed.content) < len(plain.content) / 3


def test_an_agents_answer_is_not(world: World) -> None:
    call = submit(world, LOW)
    answer = signed_in(world, "bob").get(
        f"/api/v1/actions/{call.id}",
        headers={"accept-encoding": "gzip", "authorization": f"Bearer {world.api_key}"},
    )
    assert answer.status_code == 200
    assert "Content-Encoding" not in answer.headers
