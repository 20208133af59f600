"""Styles and scripts of the pages. Their address names what all of them hold, so that browsers keep them until that changes."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

FOLDER = Path(__file__).parent / "static"
DIGEST_LENGTH = 16
FOR_EVER = "public, max-age=31536000, immutable"
# While processes of two versions serve a site one may be asked for what only the other has: it sends its own, for now.
FOR_NOW = "no-cache"
HEADERS: Mapping[str, str] = {"X-Content-Type-Options": "nosniff"}


def _digest() -> str:
    found = sha256()
    for path in sorted(each for each in FOLDER.iterdir() if each.is_file()):
        found.update(path.name.encode() + b"\0" + sha256(path.read_bytes()).digest())
    return found.hexdigest()[:DIGEST_LENGTH]


VERSION = _digest()
ADDRESS = f"/static/{VERSION}"


class Assets(StaticFiles):
    """Serves `VERSION/name`, and `name` alone."""

    def __init__(self) -> None:
        super().__init__(directory=FOLDER)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """See Starlette."""
        version, _, name = path.rpartition("/")
        response = await super().get_response(name, scope)
        response.headers.update(HEADERS)
        response.headers["Cache-Control"] = FOR_EVER if version == VERSION else FOR_NOW
        return response
