"""Struct types are analysed while modules are imported: msgspec crashes when two threads have it do so at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.architecture.decoders import Module, service_modules

EXCEPTIONS = {
    "services/rules/kernel/conversion.py": "the Converter: it calls `convert` with a type analysed by its own decoder",
}
PUT_TOGETHER_IN = {
    "services/cli/": "a command imports what it runs in the main thread, before that starts others",
    "services/common/objectstore/location.py": "a process opens its store in the main thread",
    "services/host/": "a host imports its parts in the main thread, one after another",
}

HARMLESS = """
import msgspec
from services.rules.kernel.conversion import Converter
_decode = msgspec.msgpack.Decoder(tuple[int, int]).decode
_settings: Converter[Settings] = Converter(Settings)
class Reader:
    decoder = msgspec.json.Decoder(Settings)
def read(content):
    return msgspec.json.decode(content), _decode(content), _settings(content), content.decode("utf-8")
def written(value):
    return msgspec.json.encode(value), value.convert(3), msgspec.structs.replace(value, at=1)
"""
FAULTY = {
    "import msgspec\nmsgspec.json.decode(b'', type=Kind)": "2: msgspec.json.decode with a type",
    "import msgspec as m\nm.msgpack.decode(b'', type=Kind)": "2: msgspec.msgpack.decode with a type",
    "from msgspec import msgpack\nmsgpack.decode(b'', **options)": "2: msgspec.msgpack.decode with a type",
    "import msgspec.json\nread = lambda text: msgspec.json.decode(text, type=Kind)": "2: msgspec.json.decode with",
    "from msgspec.json import decode as read\nread(b'', strict=False, type=Kind)": "2: msgspec.json.decode with",
    "import msgspec\nread = partial(msgspec.json.decode, type=Kind)": "2: msgspec.json.decode passed on",
    "import msgspec\nread = msgspec.toml.decode": "2: msgspec.toml.decode passed on",
    "import msgspec\ndef f(value):\n    return msgspec.convert(value, Kind)": "3: msgspec.convert;",
    "from msgspec import convert as to\nto(value, Kind)": "2: msgspec.convert;",
    "import msgspec\nread = partial(msgspec.convert, type=Kind)": "2: msgspec.convert;",
    "import msgspec\ndef f():\n    return msgspec.json.Decoder(Kind)": "3: msgspec.json.Decoder made in",
    "import msgspec\ndef f():\n    return msgspec.json.Decoder[Kind](Kind).decode": "3: msgspec.json.Decoder made in",
    "from msgspec.msgpack import Decoder\nread = lambda: Decoder(Kind)": "2: msgspec.msgpack.Decoder made in",
    "import msgspec\nclass A:\n    def __init__(self):\n        self.d = msgspec.json.Decoder(Kind)": "4: msgspec.json",
    "import msgspec\nasync def f():\n    msgspec.yaml.decode(g(msgspec.yaml.Decoder(A)))": "3: msgspec.yaml.Decoder made",
    "from services.rules.kernel.conversion import Converter\ndef f():\n    Converter(Kind)": "3: services.rules",
}


def test_no_service_analyses_a_type_late(repository: Path) -> None:
    """Decoders are made by imports, nothing is decoded to a type without one, and nothing is converted but by a Converter."""
    found = {
        path: faults
        for path, module in service_modules(repository).items()
        if (faults := module.late_analyses())
    }
    assert {path: faults for path, faults in found.items() if path not in EXCEPTIONS} == {}
    assert found.keys() == EXCEPTIONS.keys(), "an exception is not needed any more"


def test_modules_are_imported_before_there_are_threads(repository: Path) -> None:
    """Functions import modules of the services only where a process is put together: an import may analyse types."""
    found = {
        path: faults
        for path, module in service_modules(repository).items()
        if (faults := module.late_imports()) and not path.startswith(tuple(PUT_TOGETHER_IN))
    }
    assert found == {}


@pytest.mark.parametrize("text", FAULTY)
def test_each_way_to_analyse_late_is_seen(text: str) -> None:
    """Under any name, called or passed on, and within any kind of function."""
    (fault,) = Module(text).late_analyses()
    assert fault.startswith(FAULTY[text])


def test_what_is_harmless_is_let_through() -> None:
    """Decoders at module level, decoding to plain data, and encoding, which analyses nothing."""
    assert Module(HARMLESS).late_analyses() == []
    assert Module(HARMLESS).decoders_made() == 3


@pytest.mark.parametrize(
    "text",
    [
        "def f():\n    import services.rules.history",
        "def f():\n    from services.rules import history",
        "def f():\n    from . import history",
    ],
)
def test_a_late_import_is_seen(text: str) -> None:
    """In each spelling; the same import at module level is not one."""
    assert len(Module(text).late_imports()) == 1
    assert Module(text.replace("def f():\n    ", "")).late_imports() == []
