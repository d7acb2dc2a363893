from django.urls import include, path

urlpatterns = [
    path("", include("riskgate.api.urls")),
    path("accounts/", include("riskgate.web.account_urls")),
    path("", include("riskgate.web.urls")),
]
