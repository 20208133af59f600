"""Pages of lists: where one begins, and what is on it. A page ends by number and by bytes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import msgspec
from google.protobuf.message import Message

from services.common.errors import InvalidRequest
from services.lobby.handlers.tables import PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX

PAGE_BYTES_MAX = 1_000_000
"""Of all messages on a page: whatever people write, a list stays far below what a message may have."""

Item = TypeVar("Item")
Shown = TypeVar("Shown", bound=Message)


class Page(msgspec.Struct, frozen=True):
    """Where a page of a list begins, and how many are on it at most."""

    start: int
    size: int


def page_of(size: int, token: str) -> Page:
    """The page that a request asks for. Raises `InvalidRequest`."""
    if not 0 <= size <= PAGE_SIZE_MAX:
        raise InvalidRequest(f"page_size must be 0 to {PAGE_SIZE_MAX}")
    if token and not (token.isascii() and token.isdigit() and len(token) < 10):
        raise InvalidRequest("page_token is not a token of an earlier answer")
    return Page(int(token or 0), size or PAGE_SIZE_DEFAULT)


def page_messages(
    items: Sequence[Item], size: int, token: str, message_of: Callable[[Item], Shown]
) -> tuple[list[Shown], str]:
    """The messages on a page, and the token of the next one, empty on the last.

    As many as `PAGE_BYTES_MAX` has room for, but one in any case, so that readers go on. Raises `InvalidRequest`."""
    page = page_of(size, token)
    messages: list[Shown] = []
    room = PAGE_BYTES_MAX
    for item in items[page.start : page.start + page.size]:
        message = message_of(item)
        room -= message.ByteSize()
        if messages and room < 0:
            break
        messages.append(message)
    end = page.start + len(messages)
    return messages, str(end) if end < len(items) else ""
