"""Django's settings; what an operator may change comes from the environment (see ``environment.py``)."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import quote

from csp.constants import NONE, SELF

from pubmeta import logs
from pubmeta.environment import LOOPBACK, Environment, kept_secret, prepared, private

BASE_DIR = Path(__file__).resolve().parent.parent
ENVIRONMENT = Environment.load()

DATA_DIR = prepared(ENVIRONMENT.data_dir)
STORE_LINK = DATA_DIR / "dblp.sqlite"

SECRET_KEY = ENVIRONMENT.secret_key or kept_secret(DATA_DIR / "secret-key")
DEBUG = ENVIRONMENT.debug
ALLOWED_HOSTS = list(dict.fromkeys((*LOOPBACK, *ENVIRONMENT.allowed_hosts)))

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "corsheaders",
    "csp",
    "ninja",  # Its own files for /api/docs, instead of a CDN's.
    "pubmeta",
    "bibliography",
    "pipeline",
]
MIDDLEWARE = [
    "pubmeta.observe.ObserveMiddleware",  # First, so that it sees every answer as it leaves.
    # What adds headers comes first, so that every answer has them: errors and static files too.
    "pubmeta.headers.HeadersMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "pubmeta.head.HeadMiddleware",
    "corsheaders.middleware.CorsMiddleware",  # Early, so that errors can be read from other origins too.
    "django.middleware.gzip.GZipMiddleware",
    "pubmeta.problems.ProblemMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "pubmeta.languages.PagesLocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
]
ROOT_URLCONF = "pubmeta.urls"
WSGI_APPLICATION = "pubmeta.wsgi.application"
APPEND_SLASH = False  # The contract's paths have no trailing slash and do not redirect.

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

DATABASES: dict[str, dict[str, Any]] = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": private(DATA_DIR / "pubmeta.sqlite3"),
        # A build writes its progress while web workers read it: WAL lets both go on, and IMMEDIATE makes a
        # writer wait for its turn instead of failing in the middle (https://docs.djangoproject.com/en/5.2/ref/databases/).
        "OPTIONS": {
            "timeout": 10,
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL",
        },
    },
    "store": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": f"file:{quote(str(STORE_LINK))}?mode=ro",
        # A connection lives for one request: the next one follows the link to the store published since.
        "CONN_MAX_AGE": 0,
        "OPTIONS": {"timeout": 5, "init_command": "PRAGMA temp_store=MEMORY"},
    },
}
DATABASE_ROUTERS = ["pubmeta.routers.StoreRouter"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTHENTICATION_BACKENDS = ["pubmeta.control.SlowedBackend"]
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = LOGOUT_REDIRECT_URL = "bootstrap"

# Nothing is loaded from elsewhere and nothing runs or looks as text of a page says; no page is shown in another.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "object-src": [NONE],
    }
}
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True  # Scripts find the CSRF token in the page.
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = ENVIRONMENT.https
if ENVIRONMENT.https:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_REDIRECT_EXEMPT = [r"^api/health$", r"^metrics$"]  # Asked on the machine itself, past the proxy.
    SECURE_HSTS_SECONDS = 365 * 24 * 60 * 60
# Those two want the promise of HTTPS to hold for all names below this one, and to be built into browsers. Whether the
# operator's other services can keep it is not for this one to say; the proxy may send a stronger header.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

LOGGING = logs.configuration()

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("zh-hans", "中文")]
LOCALE_PATHS = [BASE_DIR / "locale"]
LANGUAGE_COOKIE_SAMESITE = "Lax"
TIME_ZONE = "UTC"
USE_TZ = True

# Front ends elsewhere may ask; they carry no cookies, and control takes a token.
CORS_ALLOWED_ORIGINS = list(ENVIRONMENT.cors_origins)
CORS_URLS_REGEX = r"^/api/"
CORS_EXPOSE_HEADERS = ("ETag", "Retry-After")
CORS_ALLOW_HEADERS = ("accept", "authorization", "content-type", "if-none-match")

PC_MEMBERS = ENVIRONMENT.pc_members or DATA_DIR / "pc-members.csv"
# A thousand names of the longest kind a side come to some 500 KB; JSON may write a letter as six.
DATA_UPLOAD_MAX_MEMORY_SIZE = 4 * 1024 * 1024

STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "pubmeta.files.Storage"},
}
