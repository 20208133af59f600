"""`signalbox keys` and `signalbox token`: the rotating keys that sign tokens, and tokens for services and operators."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from services.common.auth.identity import service_id, token_keys
from services.common.auth.jwks import jwks_document
from services.common.auth.token_keys import KeyFolder, new_key, read_folder, read_private_key, retire_key
from services.common.auth.tokens import Principal, TokenIssuer
from services.common.clock import SystemClock
from services.common.errors import SignalboxError
from services.common.settings.service import PREFIX, Settings, SettingsError, load_settings

FAILED = 1
NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")
DAY_SECONDS = 24 * 3600
DAYS_MAX = 3650

keys_app = typer.Typer(no_args_is_help=True, help="Rotating keys of the folder SIGNALBOX_TOKEN_KEYS.")


def register(app: typer.Typer) -> None:
    """Add the commands `keys` and `token` to `app`."""
    app.add_typer(keys_app, name="keys")

    @app.command("token")
    def token_command(
        service: Annotated[str, typer.Option(help="For a service of ours, such as ledger.")] = "",
        operator: Annotated[str, typer.Option(help="For an operator of this name.")] = "",
        days: Annotated[int, typer.Option(min=1, max=DAYS_MAX, help="Days of validity.")] = 30,
    ) -> None:
        """Print a token for a service or an operator, signed with the key that signs now. It is a secret."""
        try:
            typer.echo(_token(load_settings(os.environ), service, operator, days))
        except SignalboxError as problem:
            raise _failed("token", problem) from problem


@keys_app.command("new")
def new_command(
    adopt: Annotated[
        Path | None, typer.Option(help="An earlier signing key, whose tokens stay valid.")
    ] = None,
) -> None:
    """Add a new key to the folder; it signs after two minutes, when all services have loaded it."""
    try:
        key = None if adopt is None else read_private_key(adopt)
        typer.echo(new_key(_folder(), SystemClock(), key))
    except SignalboxError as problem:
        raise _failed("keys new", problem) from problem


@keys_app.command("retire")
def retire_command(
    key_id: Annotated[str, typer.Argument(help="As `signalbox keys list` shows it.")],
    entirely: Annotated[bool, typer.Option(help="Revoke its tokens as well.")] = False,
) -> None:
    """Stop signing with a key; its tokens stay valid until they expire."""
    try:
        retire_key(_folder(), key_id, entirely)
    except SignalboxError as problem:
        raise _failed("keys retire", problem) from problem


@keys_app.command("list")
def list_command() -> None:
    """Show all keys, the oldest first, and which one signs."""
    try:
        folder = _folder()
        keys = read_folder(folder).values()
        signing = ""
        if any(key.private is not None for key in keys):
            signing = KeyFolder(folder, SystemClock()).signing().key_id
    except SignalboxError as problem:
        raise _failed("keys list", problem) from problem
    for key in keys:
        made = datetime.fromtimestamp(key.made_ms / 1000, UTC).isoformat(sep=" ", timespec="seconds")
        role = "signs" if key.key_id == signing else "can sign" if key.private is not None else "verifies"
        typer.echo(f"{key.key_id}  {made}  {role}")


@keys_app.command("jwks")
def jwks_command() -> None:
    """Print the public keys as a JSON Web Key Set (RFC 7517), for programs that verify tokens."""
    try:
        keys = token_keys(load_settings(os.environ), SystemClock()).published()
    except SignalboxError as problem:
        raise _failed("keys jwks", problem) from problem
    typer.echo(jwks_document({each.key_id: each.key for each in keys}), nl=False)


def _folder() -> Path:
    folder = load_settings(os.environ).token_keys
    if folder is None:
        raise SettingsError(f"{PREFIX}TOKEN_KEYS: is needed, the folder of the keys")
    return folder


def _token(settings: Settings, service: str, operator: str, days: int) -> str:
    if bool(service) == bool(operator):
        raise SettingsError("one of --service and --operator is needed")
    name = service or operator
    if NAME.fullmatch(name) is None:
        raise SettingsError(f"{name!r} is no name: small letters, digits and dashes, 40 at most")
    principal = (
        Principal(service_id(name), name, "service")
        if service
        else Principal(f"operator:{name}", name, "operator")
    )
    clock = SystemClock()
    return TokenIssuer(token_keys(settings, clock), days * DAY_SECONDS, clock).issue(principal).token


def _failed(command: str, problem: SignalboxError) -> typer.Exit:
    typer.echo(f"signalbox {command}: {problem}", err=True)
    return typer.Exit(FAILED)
