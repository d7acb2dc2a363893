"""Walls in the database: what never changes, and which moves a status may make.

TRUNCATE is not refused: test databases are emptied with it, and whoever may truncate may also drop the trigger.
"""

from django.db import migrations

NEVER_CHANGES = (
    ("storage_auditevent", "UPDATE OR DELETE"),
    ("storage_vote", "UPDATE OR DELETE"),
    ("storage_factorscore", "UPDATE OR DELETE"),
    ("storage_policyversion", "UPDATE OR DELETE"),
    ("storage_grant", "UPDATE OR DELETE"),
    ("storage_call", "DELETE"),
)

MOVES = (
    ("pending", ("approved", "denied", "returned", "cancelled", "expired")),
    ("approved", ("cancelled", "expired", "revoked", "executing")),
    ("executing", ("succeeded", "failed", "unknown")),
)
"""As core.lifecycle has them; a test compares the two."""

ALLOWED = " OR ".join(
    f"(OLD.status = '{source}' AND NEW.status IN ({', '.join(repr(target) for target in targets)}))"
    for source, targets in MOVES
)

FIXED = (
    "team_id", "agent_id", "session_id", "policy_id", "environment", "function_name", "args", "kwargs", "docstring",
    "hints", "reason", "nonce", "action_digest", "prior_calls", "score", "score_level", "level", "floors",
    "requirement", "created_at",
)  # fmt: skip

CHANGED = " OR ".join(f"NEW.{column} IS DISTINCT FROM OLD.{column}" for column in FIXED)

FUNCTIONS = f"""
CREATE FUNCTION riskgate_never_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% on % is refused: these rows never change', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'integrity_constraint_violation';
END $$;

CREATE FUNCTION riskgate_call_walls() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.status <> OLD.status AND NOT ({ALLOWED}) THEN
        RAISE EXCEPTION 'a call does not move from % to %', OLD.status, NEW.status
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF {CHANGED} THEN
        RAISE EXCEPTION 'what was submitted does not change'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER riskgate_walls BEFORE UPDATE ON storage_call
    FOR EACH ROW EXECUTE FUNCTION riskgate_call_walls();
"""

UNDO_FUNCTIONS = """
DROP TRIGGER riskgate_walls ON storage_call;
DROP FUNCTION riskgate_call_walls();
DROP FUNCTION riskgate_never_changes();
"""


class Migration(migrations.Migration):
    dependencies = (("storage", "0001_initial"),)

    operations = (
        migrations.RunSQL(FUNCTIONS, UNDO_FUNCTIONS),
        *(
            migrations.RunSQL(
                f"CREATE TRIGGER riskgate_never_changes BEFORE {operations} ON {table} "
                "FOR EACH ROW EXECUTE FUNCTION riskgate_never_changes()",
                f"DROP TRIGGER riskgate_never_changes ON {table}",
            )
            for table, operations in NEVER_CHANGES
        ),
    )
