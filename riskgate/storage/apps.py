from django.apps import AppConfig


class StorageConfig(AppConfig):
    name = "riskgate.storage"
    label = "storage"
    default_auto_field = "django.db.models.BigAutoField"
