from django.apps import AppConfig


class WebConfig(AppConfig):
    name = "riskgate.web"
    label = "web"
