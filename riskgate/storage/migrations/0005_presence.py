"""When a page said last that its reader is at it, and the leases of seats in the order in which they end."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("storage", "0004_key_replaces"),)

    operations = (
        migrations.AddField("opened", "seen_at", models.DateTimeField(null=True)),
        migrations.AddIndex(
            "challengeattempt",
            models.Index(
                fields=["lease_until"],
                name="attempt_lease",
                condition=models.Q(
                    ("answered_at__isnull", True), ("left_at__isnull", True), ("lease_until__isnull", False)
                ),
            ),
        ),
    )
