"""Several steps that Redis does as one."""

from __future__ import annotations

import hashlib
from typing import Any

from redis.exceptions import NoScriptError

from services.common.redis.client import Client


class LuaScript:
    """A script that Redis keeps under its digest and is taught again when it has forgotten."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._digest = hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()

    def run(self, redis: Client, key: str, *arguments: str | bytes | float) -> Any:
        """What the script returns; it may touch nothing but `key`."""
        try:
            return redis.evalsha(self._digest, 1, key, *arguments)
        except NoScriptError:
            return redis.eval(self._text, 1, key, *arguments)
