"""The rules service behind a server, in this process, with tokens of players."""

from __future__ import annotations

import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

import grpc
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from services.common.auth.tokens import Principal, TokenIssuer, TokenVerifier
from services.common.clock import SystemClock
from services.common.grpc.server import Guard, create_server
from services.common.settings.service import Settings
from services.common.telemetry.logs import Telemetry
from services.gen.signalbox.rules.v1.rules_pb2_grpc import RulesStub
from services.rules import grpc_server
from services.rules.bootstrap import hosted
from tests.rules.service.desk import Desk

KEY = Ed25519PrivateKey.generate()
TOKEN_SECONDS = 3600


def token(player: str, seconds: int = TOKEN_SECONDS) -> list[tuple[str, str]]:
    """Metadata with a token of this player."""
    issued = TokenIssuer(KEY, seconds, SystemClock()).issue(Principal(player, player))
    return [("authorization", f"Bearer {issued.token}")]


@contextmanager
def served(desk: Desk, settings: Settings) -> Iterator[int]:
    """The port of a server for the games of `desk`."""
    verifier = TokenVerifier(TokenIssuer(KEY, TOKEN_SECONDS, SystemClock()).keys, SystemClock())
    service = hosted(desk.rules, verifier)
    server, port = create_server([service], settings, Telemetry(), guard=Guard(verifier))
    server.start()
    try:
        yield port
    finally:
        desk.rules.reader.end_watches()
        server.stop(0)


@contextmanager
def stub_of(port: int) -> Iterator[RulesStub]:
    """The methods of a served service."""
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        yield RulesStub(channel)


def threads_in_handlers() -> int:
    """How many threads are in a method of the rules service just now. The event loop's own is not counted."""
    running = sys._current_frames()
    threads = [each for each in threading.enumerate() if each.name.startswith("rpc_")]
    return sum(
        any(
            frame.f_code.co_filename == grpc_server.__file__
            for frame, _ in traceback.walk_stack(running.get(each.ident))
        )
        for each in threads
        if each.ident in running
    )
