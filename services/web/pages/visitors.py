"""Who looks at a page: the session in a cookie, and what proves that a form came from our own page."""

from __future__ import annotations

import hmac
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from urllib.parse import urlsplit

import jwt
from starlette.requests import Request
from starlette.responses import Response

from services.web.calls import Caller
from services.web.problems import ProblemError, of_http

COOKIE = "signalbox_session"
LOOK = "signalbox_look"
PATTERNS = "patterns"
OWN_LANGUAGE = "signalbox_language"
CSRF = "csrf"
OWN_PAGE = re.compile(r"/(?![/\\])[A-Za-z0-9/_.?=&-]{0,200}")
HOME = "/"


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who looks. `player_id`, `name` and `end_seconds` (when it ends, since 1970 UTC) are those in the token, which the services
    verify; empty for nobody."""

    caller: Caller
    token: str = ""
    player_id: str = ""
    name: str = ""
    end_seconds: int = 0
    has_patterns: bool = False
    """Wants colours that everybody can tell apart, with patterns."""
    language: str = ""
    """Of the pages; empty for English."""

    @property
    def as_watcher(self) -> Visitor:
        """As one of all who watch a game in the same language."""
        return Visitor(self.caller, language=self.language)

    @property
    def csrf(self) -> str:
        """What forms of this session carry; nobody finds it out who does not have the token."""
        return hmac.new(self.token.encode(), CSRF.encode(), sha256).hexdigest()[:32] if self.token else ""


def visitor_in(request: Request, address: str) -> Visitor:
    """Who makes a request, by its cookie. A token that has ended, or is none, is nobody's."""
    token, has_patterns = request.cookies.get(COOKIE, ""), request.cookies.get(LOOK) == PATTERNS
    try:
        claims = jwt.decode(token, options={"verify_signature": False}) if token else {}
    except jwt.InvalidTokenError:
        claims = {}
    end = claims.get("exp")
    if not isinstance(end, int) or end <= time.time():
        return Visitor(Caller(address), has_patterns=has_patterns)
    caller = Caller(address, f"Bearer {token}")
    player_id, name = str(claims.get("sub", "")), str(claims.get("name", ""))
    return Visitor(caller, token, player_id, name, end, has_patterns)


def check_form(request: Request, visitor: Visitor, form: Mapping[str, str]) -> None:
    """Raises `ProblemError` for a form that no page of ours sent."""
    site = request.headers.get("sec-fetch-site", "same-origin")
    origin = request.headers.get("origin")
    is_elsewhere = origin is not None and _host_of(origin) != request.headers.get("host", "")
    if site not in ("same-origin", "none") or is_elsewhere:
        raise of_http(403, "foreign_form", "the form was sent by a page of somebody else")
    if visitor.token and not hmac.compare_digest(form.get(CSRF, "").encode(), visitor.csrf.encode()):
        raise of_http(403, "foreign_form", "the form is not one of this session: reload the page")


def _host_of(origin: str) -> str | None:
    """None for what is no address."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


def check_signed_in(visitor: Visitor) -> None:
    """Raises `ProblemError` for nobody."""
    if not visitor.token:
        raise of_http(401, "unauthenticated", "sign in first")


def own_page(wanted: str) -> str:
    """The page to go to, if it is one of ours; else the first one."""
    return wanted if OWN_PAGE.fullmatch(wanted) else HOME


def asked_page(request: Request) -> str:
    """The page that a request asks for, without its query where `own_page` would not lead back to that."""
    path, query = request.url.path, request.url.query
    whole = f"{path}?{query}"
    return whole if query and own_page(whole) == whole else path


def keep_session(response: Response, token: str, expire_time_ms: int, is_secure: bool) -> None:
    """Sign in: the browser keeps the token where no script can read it."""
    seconds = max(0, expire_time_ms // 1000 - int(time.time()))
    response.set_cookie(COOKIE, token, max_age=seconds, httponly=True, secure=is_secure, samesite="lax")


def end_session(response: Response) -> None:
    """Sign out."""
    response.delete_cookie(COOKIE, httponly=True, samesite="lax")


def is_ended(failed: ProblemError) -> bool:
    """Whether a service knows no more who asks."""
    return failed.problem.status == 401
