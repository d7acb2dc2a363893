"""Wires the doors together: settings, URLs, servers, Celery. Nothing else imports it."""
