"""What the web child of `up` serves: the same application, in a process that ends with the server that
forked it.
"""

from riskgate.cli.embedded.child import die_with_parent

die_with_parent()

from riskgate.config.asgi import application  # noqa: E402

__all__ = ["application"]
