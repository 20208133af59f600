"""Runs the web server: on the event loop of the process' gRPC, from its start to its stop."""

from __future__ import annotations

import asyncio
import socket
from concurrent.futures import Future

import uvicorn

from services.common.errors import SignalboxError
from services.common.grpc.loop import on_loop, serving_loop
from services.common.settings.service import Settings
from services.common.telemetry.logs import Telemetry
from services.web.application import application
from services.web.connections import protocols
from services.web.sessions import EndedSessions

BACKLOG = 1_024


class WebAddressInUse(SignalboxError):
    """The server cannot listen on its address; the message names it."""


class WebServer:
    """Pages and API at one address. Used from any thread but the event loop's."""

    def __init__(self, settings: Settings, telemetry: Telemetry, ended: EndedSessions | None = None) -> None:
        """Binds the address; nothing answers before `start`. `ended`: the sessions that were signed out, where it is not this
        process alone that knows them. Raises `WebAddressInUse` and `SettingsError`."""
        self._socket = _bound(settings)
        try:
            self._server = on_loop(_server(settings, telemetry, ended))
        except BaseException:
            self._socket.close()
            raise
        scheme = "https" if settings.tls.is_served else "http"
        self.address = f"{scheme}://{settings.host}:{self._socket.getsockname()[1]}"
        self._serving: Future[None] | None = None

    def start(self) -> None:
        """Begin to answer."""
        self._serving = asyncio.run_coroutine_threadsafe(
            self._server.serve(sockets=[self._socket]), serving_loop()
        )

    def stop(self) -> None:
        """Take no new requests, give running ones the time that the settings say, then end them and all streams. Blocks.
        May be repeated."""
        self._server.should_exit = True
        if self._serving is not None:
            self._serving.result()
        self._socket.close()


async def _server(settings: Settings, telemetry: Telemetry, ended: EndedSessions | None) -> uvicorn.Server:
    """Calls of gRPC belong to the loop on which their channels are made."""
    tls = settings.tls
    config = uvicorn.Config(
        application(settings, telemetry.registry, ended),
        http=protocols(settings),  # type: ignore[arg-type]  # anything that makes protocols will do
        ws="none",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        ssl_certfile=tls.certificate_file,
        ssl_keyfile=tls.key_file,
        timeout_keep_alive=max(1, round(settings.web.header_seconds)),
        timeout_graceful_shutdown=max(1, round(settings.stop_grace_seconds)),
    )
    return uvicorn.Server(config)


def _bound(settings: Settings) -> socket.socket:
    host, port = settings.host.strip("[]"), settings.web.port
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, port))
        bound.listen(BACKLOG)
    except OSError as error:
        bound.close()
        raise WebAddressInUse(f"cannot listen on {host}:{port}: {error.strerror}") from error
    return bound
