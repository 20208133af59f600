"""`signalbox routes http`: HTTP/JSON and a page in front of routing servers."""

from __future__ import annotations

import ipaddress
import os
from typing import Annotated

import typer

from services.client.calls import channel_to
from services.client.routes import ROUTING
from services.common.errors import SignalboxError
from services.common.grpc.rate_settings import load_rate_settings
from services.common.telemetry.logs import Telemetry, configure_logging, start_metrics_server
from services.routing.http.api import RoutingHttp
from services.routing.http.limits import HttpLimits
from services.routing.http.server import serve

FAILED = 1
LIMITS = HttpLimits()


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
        metrics_port: Annotated[
            int, typer.Option(min=0, max=65535, help="The port of the metrics; 0 for a free one.")
        ] = 8410,
        requests: Annotated[int, typer.Option(min=1, help="Requests at the same time.")] = LIMITS.requests,
        address_requests: Annotated[
            int, typer.Option(min=1, help="Those of one address among them.")
        ] = LIMITS.address_requests,
        search_seconds: Annotated[
            float, typer.Option(min=0.1, help="Longest search for a request.")
        ] = LIMITS.search_seconds,
    ) -> None:
        """Serve POST /v1/solve and POST /v1/picture, and at / a page that draws a problem with its best runs, until Ctrl-C
        or SIGTERM (docs/routing-for-your-title.md). Every question goes to the routing service. Behind a proxy name its
        networks in SIGNALBOX_RATE_TRUSTED_PROXIES, so that requests are counted by whom it speaks for.

        Exit 1 when a setting or an address cannot be used."""
        configure_logging()
        telemetry = Telemetry()
        limits = HttpLimits(
            requests=requests, address_requests=address_requests, search_seconds=search_seconds
        )
        try:
            proxies = [ipaddress.ip_network(each) for each in load_rate_settings(os.environ).trusted_proxies]
            channel = channel_to(address, ROUTING.full_name, is_balanced=True)
            api = RoutingHttp(channel, telemetry.registry, limits, proxies)
            _, metrics_bound = start_metrics_server(telemetry, host, metrics_port)
            typer.echo(f"metrics  http://{host}:{metrics_bound}/metrics")
            serve(api, host, port, lambda where: typer.echo(f"http     {where}"))
        except (SignalboxError, OSError) as problem:
            typer.echo(f"signalbox routes http: {problem}", err=True)
            raise typer.Exit(FAILED) from problem
