"""One line a call for lists, batches under one Idempotency-Key, and fewer indexes to keep at every submission."""

import django.db.models.deletion
from django.db import migrations, models

from riskgate.storage.models.fields import ExactJSONField

# Every call has had its line in the event of its submission since the first version.
SIGNATURES = """
UPDATE storage_call AS call SET signature = event.signature
FROM storage_auditevent AS event
WHERE event.call_id = call.id AND event.kind = 'action.submitted' AND call.signature = ''
"""


def without_index(model: str, field: str, to: str, **options: object) -> migrations.AlterField:
    key = models.ForeignKey(
        db_index=False,
        on_delete=options.pop("on_delete", django.db.models.deletion.CASCADE),
        to=to,
        **options,
    )
    return migrations.AlterField(model_name=model, name=field, field=key)


class Migration(migrations.Migration):
    dependencies = (("storage", "0002_walls"),)

    operations = (
        migrations.AddField("call", "signature", models.TextField(default="")),
        migrations.RunSQL(SIGNATURES, migrations.RunSQL.noop),
        migrations.AddField("idempotencykey", "batch", ExactJSONField(null=True)),
        without_index("call", "team", "storage.team"),
        without_index("call", "agent", "storage.agent"),
        without_index("call", "session", "storage.session"),
        without_index("call", "policy", "storage.policyversion", on_delete=django.db.models.deletion.PROTECT),
        without_index("factorscore", "call", "storage.call", related_name="factors"),
        migrations.RemoveIndex("call", "call_session_function"),
        migrations.AddIndex(
            "call",
            models.Index(
                fields=["session", "function_name", "-level"],
                name="call_ratchet",
                condition=models.Q(("by_person", False), ("level__gt", 1)),
            ),
        ),
    )
