"""What the methods of a service take: a file `methods.toml` beside each service, which names all of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from services.common.grpc.methods import MethodLimits, MethodsFileError, method_limits
from services.gen.signalbox.ledger.v1 import ledger_pb2
from tests.attack.surface import LIMITS, SERVICES

SERVICE = ledger_pb2.DESCRIPTOR.services_by_name["Ledger"]


def ledger_file(folder: Path, methods: list[str]) -> Path:
    """A file that names these methods."""
    path = folder / "methods.toml"
    path.write_text("".join(f"[{name}]\n" for name in methods))
    return path


@pytest.mark.parametrize("service", SERVICES)
def test_every_method_has_its_limits(service: str) -> None:
    """And nothing else has."""
    assert LIMITS[service].keys() == {method.name for method in SERVICES[service].methods}


def test_a_method_without_an_entry_stops_the_start(tmp_path: Path) -> None:
    """It would take calls of anybody."""
    names = [method.name for method in SERVICE.methods]
    assert method_limits(ledger_file(tmp_path, names), SERVICE) == dict.fromkeys(names, MethodLimits())
    with pytest.raises(
        MethodsFileError, match=f"methods.toml: nothing about {names[-1]} of signalbox.ledger"
    ):
        method_limits(ledger_file(tmp_path, names[:-1]), SERVICE)


def test_an_entry_without_a_method_stops_the_start(tmp_path: Path) -> None:
    """A misspelt one would limit nothing."""
    names = [*(method.name for method in SERVICE.methods), "GetBalance"]
    with pytest.raises(MethodsFileError, match=r"methods.toml: signalbox.ledger.* has no method GetBalance"):
        method_limits(ledger_file(tmp_path, names), SERVICE)


@pytest.mark.parametrize(
    "content",
    [
        "[GetBalances]\nscopes = ['game:see']",
        "[GetBalances]\nbytse = 3",
        "[GetBalances]\ncaller = 'admin'",
        "[GetBalances",
    ],
)
def test_a_malformed_file_is_named(tmp_path: Path, content: str) -> None:
    """With what is wrong in it."""
    path = tmp_path / "methods.toml"
    path.write_text(content)
    with pytest.raises(MethodsFileError, match=r"methods\.toml: "):
        method_limits(path, SERVICE)


def test_a_method_that_needs_a_token_names_its_scopes(tmp_path: Path) -> None:
    """A token limited to scopes could otherwise do whatever it is not limited to."""
    names = [method.name for method in SERVICE.methods]
    path = ledger_file(tmp_path, names)
    path.write_text(path.read_text().replace("[GetAudit]\n", "[GetAudit]\ncaller = 'player'\n"))
    with pytest.raises(MethodsFileError, match=r"methods.toml: no scopes for GetAudit"):
        method_limits(path, SERVICE)
