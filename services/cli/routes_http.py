"""`signalbox routes http`: HTTP/JSON and a page in front of routing servers."""

from __future__ import annotations

from typing import Annotated

import typer
from aiohttp import web

from services.client.calls import channel_to
from services.client.routes import ROUTING
from services.routing.http_api import RoutingHttp


def register(app: typer.Typer) -> None:
    """Add the command `http` to `app`."""

    @app.command("http")
    def http_command(
        address: Annotated[
            str, typer.Option(help="The routing service: host:port, or several separated by commas.")
        ] = "127.0.0.1:8403",
        host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
        port: Annotated[
            int, typer.Option(min=0, max=65535, help="The port to listen at; 0 for a free one.")
        ] = 8404,
    ) -> None:
        """Serve POST /v1/solve and POST /v1/picture, and at / a page that draws a problem with its best runs, until Ctrl-C
        or SIGTERM (docs/routing-for-your-title.md). Every question goes to the routing service."""
        channel = channel_to(address, ROUTING.full_name, is_balanced=True)
        web.run_app(RoutingHttp(channel).application(), host=host, port=port, print=typer.echo)
