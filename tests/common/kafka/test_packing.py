"""Values packed with a dictionary: what comes out is what went in, and nothing else is taken for one."""

from __future__ import annotations

import zlib
from base64 import b32encode
from hashlib import blake2b
from random import Random

import pytest
from google.protobuf.message import DecodeError
from hypothesis import given, strategies as st

from services.common.faust.records import NewerVersion, UnprocessableRecord
from services.common.kafka.commits import CommitOfNewerVersion, UnreadableCommit, read_commit
from services.common.kafka.packed_ids import ID_BYTES, bytes_of_id, id_of_bytes
from services.common.kafka.packing import DICTIONARY, FIRST_BYTE, packed, stored, value_of
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.unpacking import (
    DICTIONARIES,
    ID_MARK,
    IDS_MAX,
    PACKED,
    RAW_DEFLATE,
    UNPACKED_BYTES_MAX,
    UnknownDictionary,
    UnreadableValue,
    dictionary,
    is_packed,
    message_in,
    readable,
    unpacked,
)
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.lobby.cluster.statuses import read_status

COMMIT = pb.Commit(
    stream="game/g1",
    first_sequence=7,
    facts=[pb.Fact(type="cash_moved", schema_version=1, payload=b"\x0a\x03ann")],
    append_id="a.1",
)
KEY = b"g1"
IDS = [bytes([ord("g") + number]) + b32encode(Random(number).randbytes(15)).lower() for number in range(6)]
NEWER = bytes([31 << 3 | PACKED]) + b"whatever"


def deflated(value: bytes, ids: bytes = b"\0") -> bytes:
    """A packed value made by hand; `ids`: how many, and these."""
    stream = zlib.compressobj(9, zlib.DEFLATED, RAW_DEFLATE, zdict=dictionary(DICTIONARY))
    return FIRST_BYTE + ids + stream.compress(value) + stream.flush()


def an_id(draw: Random) -> bytes:
    """An id as players and games have."""
    return b"p" + b32encode(draw.randbytes(15)).lower()


@given(st.binary(min_size=ID_BYTES - 1, max_size=ID_BYTES - 1))
def test_ids_are_numbers_in_the_base_32_of_the_standard_library(number: bytes) -> None:
    """Both ways, for any number."""
    name = b"t" + b32encode(number).lower()
    assert bytes_of_id(name) == b"t" + number
    assert id_of_bytes(b"t" + number) == name


@given(st.binary(max_size=2_000), st.binary(max_size=60))
def test_any_bytes_come_out_as_they_went_in(value: bytes, key: bytes) -> None:
    """Whatever they are: messages, what looks packed already, nothing at all, with any key."""
    assert unpacked(packed(value, key), key) == value
    assert unpacked(packed(key + value + key, key), key) == key + value + key


@given(
    st.lists(st.sampled_from([ID_MARK, ID_MARK[:1], ID_MARK[1:], b"\0", b"name", *IDS]), max_size=40),
    st.lists(st.sampled_from([b"lobby.table.", *IDS[:4]]), max_size=4),
)
def test_ids_and_what_looks_like_their_marks_come_out_as_well(parts: list[bytes], keys: list[bytes]) -> None:
    """Ids of the key, other ones, both several times, and bytes that are marks without being written as such."""
    value, key = b"".join(parts), b"".join(keys)
    assert unpacked(packed(value, key), key) == value


@pytest.mark.parametrize("count", [IDS_MAX - 1, IDS_MAX, IDS_MAX + 1, 600])
def test_more_ids_than_are_counted_stay_as_they_are(count: int) -> None:
    """In the value, in the key, or in both."""
    draw = Random(count)
    ids, others = ([an_id(draw) for _ in range(count)] for _ in range(2))
    for value, key in ((ids, []), (ids, ids), (ids + others, ids), (others, ids[:3])):
        joined, of = b"-".join(value * 2), b"".join(key)
        assert unpacked(packed(joined, of), of) == joined


@given(st.binary(max_size=2_000))
def test_no_value_grows_but_one_that_looks_packed(value: bytes) -> None:
    """What does not become smaller stays as it is, so that the limits of Kafka hold for what was checked before."""
    assert len(packed(value, KEY)) <= len(value) or is_packed(value)


def test_an_id_takes_its_bytes_once_and_none_where_the_key_has_it() -> None:
    """Base 32 takes 25 characters for 120 random bits."""
    first, second = IDS[:2]
    assert len(packed(first * 9, first)) <= 10
    assert len(packed((first + second) * 9, first)) <= 10 + ID_BYTES


@given(st.binary(max_size=200))
def test_hostile_values_are_unreadable_and_nothing_worse(value: bytes) -> None:
    """Any bytes behind the mark unpack, or are refused by the one error that readers know."""
    try:
        unpacked(FIRST_BYTE + value, KEY)
    except UnreadableValue as problem:
        assert str(problem).startswith("packed")


@given(st.integers(0, 0xFF))
def test_no_message_begins_as_packed_values_do(first: int) -> None:
    """Whatever follows, protobuf refuses it: its wire type is none."""
    if is_packed(bytes([first])):
        with pytest.raises(DecodeError):
            pb.Commit.FromString(bytes([first]) + bytes(20))


def test_values_of_before_are_read_as_they_are() -> None:
    """A record without the mark is the message itself."""
    assert message_in(pb.Commit, COMMIT.SerializeToString(), KEY) == COMMIT
    assert message_in(pb.Commit, None, None) == pb.Commit()


def test_a_bomb_is_not_unpacked() -> None:
    """A small record that would become a huge value is refused at the largest size a value may have."""
    assert unpacked(deflated(bytes(UNPACKED_BYTES_MAX)), KEY) == bytes(UNPACKED_BYTES_MAX)
    with pytest.raises(UnreadableValue, match=f"more than {UNPACKED_BYTES_MAX} bytes"):
        unpacked(deflated(bytes(UNPACKED_BYTES_MAX + 1)), KEY)
    with pytest.raises(UnreadableValue, match="more than"):
        unpacked(deflated(bytes(50 * UNPACKED_BYTES_MAX)), KEY)
    with pytest.raises(UnreadableValue, match="more than"):
        unpacked(deflated((ID_MARK + b"\0") * (UNPACKED_BYTES_MAX // 4), b"\1" + bytes(16)), KEY)


def test_what_no_reader_would_unpack_is_not_packed() -> None:
    """A value above the limit stays as large as it is, so that Kafka refuses it."""
    assert packed(bytes(UNPACKED_BYTES_MAX + 1), KEY) == bytes(UNPACKED_BYTES_MAX + 1)
    assert len(packed(bytes(UNPACKED_BYTES_MAX), KEY)) < UNPACKED_BYTES_MAX


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (FIRST_BYTE, "packed, and cut off"),
        (deflated(b"abc" * 30)[:-1], "packed, and cut off"),
        (deflated(b"abc") + b"more", "packed, and goes on behind its end"),
        (FIRST_BYTE + b"\x05short", "packed, and cut off"),
        (FIRST_BYTE + b"\0\xff\xff", "packed, but not as dictionary 1 would"),
        (deflated(b"who: " + ID_MARK + b"\0"), "packed, and names an id that is not there: 0 of 0"),
        (deflated(b"who: " + ID_MARK + b"\1", b"\1" + bytes(16)), "names an id that is not there: 1 of 1"),
        (deflated(b"who: " + ID_MARK), "packed, and names an id that is not there"),
        (NEWER, "packed with dictionary 31: written by a newer version, this one knows up to 1"),
        (bytes([PACKED]), "packed with dictionary 0"),
    ],
)
def test_what_is_wrong_with_a_value_is_said(value: bytes, problem: str) -> None:
    """Each fault in words of its own."""
    with pytest.raises(UnreadableValue, match=problem):
        unpacked(value, KEY)


def test_what_cannot_be_unpacked_is_left_to_who_reads_it() -> None:
    """A value is handed on plain, or as it is where it cannot be read."""
    assert readable(packed(COMMIT.SerializeToString(), KEY), KEY) == COMMIT.SerializeToString()
    assert (readable(NEWER, KEY), readable(b"\x0a", KEY)) == (NEWER, b"\x0a")


def test_readers_of_commits_know_a_newer_version() -> None:
    """A dictionary that is not known is a newer version's; other faults are unreadable records as before."""
    with pytest.raises(CommitOfNewerVersion, match="a commit packed with dictionary 31: written by a newer"):
        read_commit(NEWER, KEY)
    with pytest.raises(UnreadableCommit, match="no commit: packed, and cut off") as caught:
        read_commit(FIRST_BYTE, KEY)
    assert not isinstance(caught.value, CommitOfNewerVersion)
    assert issubclass(UnknownDictionary, DecodeError)


def test_a_platform_packs_unless_it_is_told_not_to() -> None:
    """The switch decides what is written; both are read."""
    packing = KafkaSettings(servers=("a:1",))
    plain = KafkaSettings(servers=("a:1",), packs_values=False)
    there, here = value_of(packing, "g1", COMMIT), value_of(plain, "g1", COMMIT)
    assert is_packed(there)
    assert len(there) < len(here)
    assert here == COMMIT.SerializeToString() == stored(plain, "g1", here)
    assert read_commit(there, "g1") == read_commit(there, b"g1") == read_commit(here, "g1") == COMMIT


def test_statuses_of_a_newer_version_are_told_from_damaged_ones() -> None:
    """The lobby leaves the first to a process that knows them, and can never read the others."""
    with pytest.raises(NewerVersion, match="a status packed with dictionary 31: written by a newer version"):
        read_status(NEWER, "g1")
    with pytest.raises(UnprocessableRecord, match="not a status: packed, and cut off") as caught:
        read_status(FIRST_BYTE, "g1")
    assert not isinstance(caught.value, NewerVersion)
    status = pb.GameStatus(schema_version=3, game_id="g1", sequence=9)
    assert read_status(packed(status.SerializeToString(), KEY), "g1").sequence == 9


def test_released_dictionaries_never_change() -> None:
    """Everything in Kafka is packed with them. A new one gets a new number, and a line here."""
    digests = {number: blake2b(dictionary(number), digest_size=16).hexdigest() for number in DICTIONARIES}
    assert digests == {1: "7253b7244e2d60b519230dc3b6f5d13a"}
