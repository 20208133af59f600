"""The contracts keep their promises, and the generated code is the code of these contracts."""

import hashlib
import importlib
from pathlib import Path

import pytest
from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorProto, FileDescriptorSet

from services.common.eventlog.schema_versions import VERSION_OPTION
from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.lobby.event_codec import READERS
from services.rules.adapters.messages import descriptor_of
from services.rules.adapters.registry import OWN, messages_of
from tests.contracts.compatibility import broken_promises
from tests.contracts.event_shapes import changed_shapes


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


def stored_messages() -> set[str]:
    """Full names of the messages of all events: of games, of what one title alone knows, of the lobby."""
    bodies = descriptor_of(GameEvent).oneofs_by_name["body"].fields
    shared = {field.message_type.full_name for field in bodies if field.message_type is not None}
    own = {
        descriptor_of(getattr(messages_of(part), event.__name__)).full_name
        for part in OWN.values()
        for event in part.events
    }
    lobby = {descriptor_of(reader.message).full_name for reader in READERS.values()}
    return (shared | own | lobby) - {"google.protobuf.Any"}


def test_no_event_changes_without_a_new_schema_version(repository: Path) -> None:
    """What is stored has the shape that its version had when it was published."""
    baseline = FileDescriptorSet.FromString((repository / "proto" / "baseline.binpb").read_bytes())
    assert changed_shapes(baseline, generated_files(repository), stored_messages()) == []


@pytest.mark.parametrize(
    ("sources", "generated"),
    [("proto", "services/gen"), ("tests/samples/proto", "tests/samples/gen")],
)
def test_generated_code_is_current(repository: Path, sources: str, generated: str) -> None:
    """Every source and every generated file has the hash that `make proto` noted; else run `make proto`."""
    listed: set[str] = set()
    for sums in (repository / generated).rglob("SOURCES.sha256"):
        for line in sums.read_text().splitlines():
            digest, name = line.split("  ")
            listed.add(name)
            assert (repository / name).is_file(), f"{name} is gone: run make proto"
            assert hashlib.sha256((repository / name).read_bytes()).hexdigest() == digest, (
                f"{name}: run make proto"
            )
    protos = {str(path.relative_to(repository)) for path in (repository / sources).rglob("*.proto")}
    code = {str(path.relative_to(repository)) for path in (repository / generated).rglob("*_pb2*.py*")}
    assert listed == protos | {name for name in code if "__pycache__" not in name}


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


TICKET = "signalbox.sample.v1.Ticket"


def _with_date(version: int) -> FileDescriptorSet:
    """The small contract with one more field."""
    changed = sample()
    message = changed.file[0].message_type[0]
    message.field.add(name="date", number=3, type=3, label=1)
    message.options.Extensions[VERSION_OPTION] = version
    return changed


def test_a_changed_event_needs_a_new_version_and_keeps_the_old_one() -> None:
    """A field more without a new version is reported, and so is an older version that is gone or was altered."""
    assert changed_shapes(sample(), sample(), {TICKET}) == []
    (unraised,) = changed_shapes(sample(), _with_date(1), {TICKET})
    assert unraised == f"{TICKET} changed, and its schema version is still 1"
    raised = _with_date(2)
    (without,) = changed_shapes(sample(), raised, {TICKET})
    assert without == f"{TICKET} has a new schema version, and there is no {TICKET}V1"
    older = raised.file[0].message_type.add()
    older.CopyFrom(sample().file[0].message_type[0])
    older.name = "TicketV1"
    assert changed_shapes(sample(), raised, {TICKET}) == []
    del older.field[1]
    (altered,) = changed_shapes(sample(), raised, {TICKET})
    assert altered == f"{TICKET}V1 is not what schema version 1 of {TICKET} was"
    (fallen,) = changed_shapes(raised, sample(), {TICKET})
    assert fallen == f"{TICKET} fell from schema version 2 to 1"
