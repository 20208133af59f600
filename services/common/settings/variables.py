"""Reading variables of the environment: each is SIGNALBOX_, the group where it belongs to one, and the field's name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from services.common.errors import SignalboxError

PREFIX = "SIGNALBOX_"

Group = TypeVar("Group", bound=msgspec.Struct)
# Takes the name of a variable and its text; raises `SettingsError`.
Reader = Callable[[str, str], Any]


class SettingsError(SignalboxError):
    """A variable of the environment has a value that cannot be used; the message names both."""


def read_group(
    kind: type[Group], group: str, readers: Mapping[str, Reader], environment: Mapping[str, str]
) -> Group:
    """Settings of one `group`, a reader for each field; what `environment` does not name keeps its default."""
    chosen = {}
    for name, reader in readers.items():
        variable = f"{PREFIX}{group}_{name.upper()}"
        if variable in environment:
            chosen[name] = reader(variable, environment[variable])
    return kind(**chosen)


def file(variable: str, text: str) -> Path:
    """The file that `variable` names. Raises `SettingsError` if there is none."""
    path = Path(text)
    if not path.is_file():
        raise SettingsError(f"{variable}: {text!r} is no file")
    return path


def folder(variable: str, text: str) -> str:
    """The folder that `variable` names. Raises `SettingsError` if there is none."""
    if not Path(text).is_dir():
        raise SettingsError(f"{variable}: {text!r} is no folder")
    return text


def secret(variable: str, path: Path, encoding: str = "utf-8") -> str:
    """The content of the file that `variable` names. Raises `SettingsError` if it cannot be read, is no text or is empty."""
    text: str | None = None
    try:
        text = path.read_text(encoding=encoding).strip()
    except OSError as error:
        raise SettingsError(f"{variable}: {path}: {error.strerror}") from error
    except UnicodeError:
        # Said below: the error itself holds the file's content.
        pass
    if text is None:
        raise SettingsError(f"{variable}: {path}: is no text in {encoding}")
    if not text:
        raise SettingsError(f"{variable}: {path}: is empty")
    return text


def addresses(variable: str, text: str) -> tuple[str, ...]:
    """The host:port, separated by commas, that `variable` holds. Raises `SettingsError`."""
    given = tuple(each.strip() for each in text.split(","))
    for address in given:
        host, _, port = address.rpartition(":")
        if not host or not port.isdecimal() or not 1 <= int(port) <= 65_535:
            raise SettingsError(f"{variable}: {address!r} is not host:port")
    return given


def whole_number(variable: str, text: str, least: int, most: int) -> int:
    """The whole number within bounds that `variable` holds. Raises `SettingsError`."""
    try:
        number = int(text)
    except ValueError:
        number = least - 1
    if not least <= number <= most:
        raise SettingsError(f"{variable}: {text!r} is not a whole number from {least} to {most}")
    return number


def seconds(variable: str, text: str, least: float, most: float) -> float:
    """The number of seconds within bounds that `variable` holds. Raises `SettingsError`."""
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not least <= number <= most:
        raise SettingsError(f"{variable}: {text!r} is not a number of seconds from {least} to {most}")
    return number


def switch(variable: str, text: str) -> bool:
    """Whether `variable` says on. Raises `SettingsError` for anything but on and off."""
    if text not in ("on", "off"):
        raise SettingsError(f"{variable}: {text!r} is neither on nor off")
    return text == "on"
