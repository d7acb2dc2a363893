"""A key may say which older one it was made to take the place of. A column without a default on a small table."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("storage", "0003_submissions"),)

    operations = (
        migrations.AddField(
            model_name="apikey",
            name="replaces",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="replaced_by",
                to="storage.apikey",
            ),
        ),
    )
