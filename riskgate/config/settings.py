"""Django's settings, all from the environment. The variables are described in `environment.SETTINGS`."""

import os
from pathlib import Path

from csp.constants import NONE, SELF

from riskgate.config import logs
from riskgate.config.environment import LOCAL_HOSTS, Environment

BASE_DIR = Path(__file__).resolve().parents[2]

env = Environment(os.environ)
_url = env.public_url("RISKGATE_PUBLIC_URL")
_host = _url.hostname or ""
_https = _url.scheme == "https"
_proxied = env.flag("RISKGATE_BEHIND_PROXY")
_static_root = env.text("RISKGATE_STATIC_ROOT")
_log_format = env.choice("RISKGATE_LOG_FORMAT", "json", "console")
_log_level = env.choice("RISKGATE_LOG_LEVEL", "debug", "info", "warning", "error")

# What riskgate itself asks for.
PUBLIC_URL = _url.geturl()
SIGNING_KEY_FILE = Path(env.text("RISKGATE_SIGNING_KEY_FILE"))
BROKER_URL = env.text("RISKGATE_BROKER_URL")
METRICS_TOKEN = env.text("RISKGATE_METRICS_TOKEN")

# Django.
SECRET_KEY = env.text("RISKGATE_SECRET_KEY", at_least=32)
DEBUG = env.flag("RISKGATE_DEBUG")
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]"] if _host in LOCAL_HOSTS else [_host]
ROOT_URLCONF = "riskgate.config.urls"
WSGI_APPLICATION = "riskgate.config.wsgi.application"
APPEND_SLASH = False
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
USE_I18N = False

INSTALLED_APPS = [
    "riskgate.config.apps.RiskgateConfig",
    "riskgate.storage",
    "riskgate.cli",
    "riskgate.web",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "csp",
    "django_htmx",
    "rest_framework",
]

MIDDLEWARE = [
    "riskgate.config.logs.RequestLog",
    "riskgate.config.compression.CompressedPages",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "riskgate.web.views.errors.Pages",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

# One pool a process; a request gives its connection back at its end, which is what CONN_MAX_AGE=0 says.
_database = env.database("DATABASE_URL")
if _database:
    _pool = {"min_size": 0, "max_size": env.number("RISKGATE_DATABASE_POOL", 1, 1000), "timeout": 10}
    # Else a pool looks for a server that is away less and less often, up to minutes after it is back.
    _pool["reconnect_timeout"] = 2
    # A number here only allows the statements of storage/statements.py to be prepared; the ORM never prepares.
    _database["OPTIONS"] = {**_database["OPTIONS"], "pool": _pool, "prepare_threshold": 5}
DATABASES = {"default": {**_database, "CONN_MAX_AGE": 0}}
# Limits on sign-in are counted here: one table, seen by every process.
CACHES = {"default": {"BACKEND": "django.core.cache.backends.db.DatabaseCache", "LOCATION": "cache"}}

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = _static_root or None
WHITENOISE_USE_FINDERS = not _static_root
_static_storage = (
    "whitenoise.storage.CompressedManifestStaticFilesStorage"
    if _static_root
    else "django.contrib.staticfiles.storage.StaticFilesStorage"
)
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},  # nothing is uploaded
    "staticfiles": {"BACKEND": _static_storage},
}

# What a browser may do.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "frame-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_HSTS_SECONDS = 31_536_000 if _https else 0
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL] if _host else []
if _proxied:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    ALLAUTH_TRUSTED_PROXY_COUNT = 1

# The prefix __Host- makes browsers refuse a cookie that another host or a plain connection set.
_prefix = "__Host-" if _https else ""
SESSION_COOKIE_NAME = f"{_prefix}riskgate_session"
CSRF_COOKIE_NAME = f"{_prefix}riskgate_csrf"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = _https
SESSION_COOKIE_HTTPONLY = True
CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"

# Who comes in.
AUTH_USER_MODEL = "storage.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_ADAPTER = "riskgate.web.account_adapter.AccountAdapter"
ACCOUNT_FORMS = {"login": "riskgate.web.forms.signing_in.SignIn"}
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
# People are added by an admin who knows their address: nobody has to prove it, neither for a second factor.
ACCOUNT_EMAIL_VERIFICATION = "none"
MFA_ALLOW_UNVERIFIED_EMAIL = True
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[riskgate] "
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False  # nobody is mailed because a stranger typed their address
ACCOUNT_REAUTHENTICATION_TIMEOUT = 300
ACCOUNT_DEFAULT_HTTP_PROTOCOL = _url.scheme or "https"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes", "webauthn"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not _https
MFA_TOTP_ISSUER = "riskgate"

DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.text("RISKGATE_EMAIL_FROM") or f"riskgate@{_host or 'localhost'}"
EMAIL_CONFIGURED = bool(env.text("RISKGATE_EMAIL_URL"))
globals().update(env.mail("RISKGATE_EMAIL_URL"))

REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": [],
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "UNAUTHENTICATED_USER": None,
}

# Requests a second in the long run, and at once after a pause.
API_KEY_LIMIT = tuple(times * env.number("RISKGATE_API_KEY_RATE", 1, 1_000_000) for times in (1, 4))
API_TEAM_LIMIT = tuple(times * env.number("RISKGATE_API_TEAM_RATE", 1, 1_000_000) for times in (1, 4))
LOGGING = logs.configuration(_log_format, _log_level)

env.finish()
