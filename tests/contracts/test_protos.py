"""The contracts keep their promises, and the generated code is the code of these contracts."""

import hashlib
import importlib
from pathlib import Path

import pytest
from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorProto, FileDescriptorSet

from tests.contracts.compatibility import broken_promises


def generated_files(repository: Path) -> FileDescriptorSet:
    """Descriptors of all generated modules."""
    found = FileDescriptorSet()
    for path in sorted((repository / "services" / "gen").rglob("*_pb2.py")):
        module = importlib.import_module(".".join(path.relative_to(repository).with_suffix("").parts))
        module.DESCRIPTOR.CopyToProto(found.file.add())
    return found


def test_no_contract_breaks_the_baseline(repository: Path) -> None:
    """Nothing that proto/baseline.binpb promises was changed or dropped."""
    baseline = FileDescriptorSet.FromString((repository / "proto" / "baseline.binpb").read_bytes())
    assert broken_promises(baseline, generated_files(repository)) == []


def test_generated_code_is_current(repository: Path) -> None:
    """Every source and every generated file has the hash that `make proto` noted; else run `make proto`."""
    listed: set[str] = set()
    for sums in (repository / "services" / "gen").rglob("SOURCES.sha256"):
        for line in sums.read_text().splitlines():
            digest, name = line.split("  ")
            listed.add(name)
            assert (repository / name).is_file(), f"{name} is gone: run make proto"
            assert hashlib.sha256((repository / name).read_bytes()).hexdigest() == digest, (
                f"{name}: run make proto"
            )
    sources = {str(path.relative_to(repository)) for path in (repository / "proto").rglob("*.proto")}
    generated = {
        str(path.relative_to(repository)) for path in (repository / "services" / "gen").rglob("*_pb2*.py*")
    }
    assert listed == sources | {name for name in generated if "__pycache__" not in name}


def test_generated_descriptors_name_their_sources(repository: Path) -> None:
    """Each generated module stands for exactly one source file, and each source file has one."""
    names = sorted(file.name for file in generated_files(repository).file)
    proto = repository / "proto"
    assert names == sorted(str(path.relative_to(proto)) for path in proto.rglob("*.proto"))


def sample() -> FileDescriptorSet:
    """A small contract to be broken."""
    file = FileDescriptorProto(name="signalbox/sample/v1/sample.proto", package="signalbox.sample.v1")
    message = file.message_type.add(name="Ticket")
    message.field.add(name="price", number=1, type=3, label=1)
    message.field.add(name="holder", number=2, type=9, label=1)
    file.enum_type.add(name="Kind").value.add(name="KIND_UNSPECIFIED", number=0)
    service = file.service.add(name="Desk")
    service.method.add(name="Sell", input_type=".signalbox.sample.v1.Ticket", output_type=".x.Y")
    return FileDescriptorSet(file=[file])


def _retype(file: FileDescriptorProto) -> None:
    file.message_type[0].field[0].type = FieldDescriptorProto.TYPE_INT32


def _rename(file: FileDescriptorProto) -> None:
    file.message_type[0].field[0].name = "cost"


def _renumber(file: FileDescriptorProto) -> None:
    file.message_type[0].field[0].number = 9


def _drop_field(file: FileDescriptorProto) -> None:
    del file.message_type[0].field[1]


def _drop_message(file: FileDescriptorProto) -> None:
    del file.message_type[0]


def _rename_enum_value(file: FileDescriptorProto) -> None:
    file.enum_type[0].value[0].name = "KIND_NONE"


def _repeat_field(file: FileDescriptorProto) -> None:
    file.message_type[0].field[0].label = FieldDescriptorProto.LABEL_REPEATED


def _change_method(file: FileDescriptorProto) -> None:
    file.service[0].method[0].server_streaming = True


BREAKS = (
    _retype,
    _rename,
    _renumber,
    _drop_field,
    _drop_message,
    _rename_enum_value,
    _repeat_field,
    _change_method,
)


@pytest.mark.parametrize("break_it", BREAKS, ids=lambda function: function.__name__.strip("_"))
def test_a_broken_promise_is_seen(break_it) -> None:  # type: ignore[no-untyped-def]
    """Each way of breaking a contract is reported."""
    changed = sample()
    break_it(changed.file[0])
    assert len(broken_promises(sample(), changed)) == 1


def test_additions_and_reserved_drops_are_allowed() -> None:
    """New fields, and fields dropped with number and name reserved, break nothing."""
    changed = sample()
    message = changed.file[0].message_type[0]
    del message.field[1]
    message.reserved_range.add(start=2, end=3)
    message.reserved_name.append("holder")
    message.field.add(name="colour", number=3, type=9, label=1)
    assert broken_promises(sample(), changed) == []
