"""Pictures of games over gRPC: whole, or only what changed; kept, bounded, and whole again where it does not fit."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree

import grpc
import pytest

from services.common.errors import Overloaded
from services.common.eventlog.memory import MemoryEventLog, MemorySnapshotStore
from services.common.settings.service import Settings
from services.drawing.board import draw_board
from services.gen.signalbox.rules.v1 import picture_pb2 as pb, rules_pb2
from services.gen.signalbox.rules.v1.rules_pb2_grpc import RulesStub
from services.rules import pictures
from services.rules.parts.presentation import presentation_of
from services.rules.pictures import PictureReader
from tests.rules.service.desk import GAME, Desk
from tests.rules.service.served import served, stub_of, token

SECONDS = 60.0
MOVES = 6


@pytest.fixture
def desk() -> Desk:
    """A game under way."""
    desk = Desk(MemoryEventLog(), MemorySnapshotStore())
    desk.create()
    return desk


@pytest.fixture
def stub(desk: Desk) -> Iterator[RulesStub]:
    """Where it is served."""
    with served(desk, Settings()) as port, stub_of(port) as stub:
        yield stub


def ask(stub: RulesStub, **fields: object) -> pb.GetPictureResponse:
    """Ann asks for a picture."""
    request = pb.GetPictureRequest(**({"game_id": GAME} | fields))  # type: ignore[arg-type]
    answer: pb.GetPictureResponse = stub.GetPicture(request, metadata=token("ann"), timeout=SECONDS)
    return answer


def document_of(desk: Desk, sequence: int) -> str:
    """The picture as drawn here."""
    found = desk.rules.reader.game_at(GAME, sequence)
    return draw_board(presentation_of(found.loaded.title), found.loaded.data, found.game)


def test_first_the_whole_picture_then_what_changed(desk: Desk, stub: RulesStub) -> None:
    """An element sent is one of the later picture, and what is not sent is as it was; back in time as well."""
    first = ask(stub)
    assert (first.sequence, first.document) == (desk.sequence(), document_of(desk, desk.sequence()))
    assert not first.changed
    desk.play_on(MOVES)
    later = ask(stub, known_sequence=first.sequence, known_checksum=first.checksum)
    assert later.sequence == desk.sequence() and not later.document
    whole = document_of(desk, later.sequence)
    sent = {each.id: each.svg for each in later.changed}
    assert "board-description" in sent
    assert all(svg in whole for svg in sent.values())
    assert sum(map(len, sent.values())) < len(whole) / 4
    before, after = (
        {each.get("id"): ElementTree.tostring(each) for each in ElementTree.fromstring(text).iter()}
        for text in (first.document, whole)
    )
    unsent = [id_ for id_ in before if id_ and id_.startswith(("hex-", "stops-", "market-"))]
    assert all(before[id_] == after[id_] for id_ in unsent if id_ not in sent)
    back = ask(stub, at_sequence=first.sequence, known_sequence=later.sequence, known_checksum=later.checksum)
    assert {each.id for each in back.changed} == set(sent) and back.checksum == first.checksum
    again = ask(stub, known_sequence=later.sequence, known_checksum=later.checksum)
    assert not again.changed and not again.document and again.checksum == later.checksum


@pytest.mark.parametrize("known", [{"known_checksum": "another"}, {"known_sequence": 10**6}])
def test_an_unknown_picture_is_sent_whole(desk: Desk, stub: RulesStub, known: dict[str, object]) -> None:
    """So a client that was drawn by another version, or is ahead of this replica, is never left with a mixture."""
    first = ask(stub)
    fields = {"known_sequence": first.sequence, "known_checksum": first.checksum} | known
    assert ask(stub, **fields).document == first.document


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"game_id": "nowhere"}, grpc.StatusCode.NOT_FOUND),
        ({"at_sequence": 1}, grpc.StatusCode.NOT_FOUND),
        ({"at_sequence": 10**6}, grpc.StatusCode.OUT_OF_RANGE),
        ({"at_sequence": -1}, grpc.StatusCode.INVALID_ARGUMENT),
        ({"known_sequence": -1}, grpc.StatusCode.INVALID_ARGUMENT),
    ],
)
def test_what_cannot_be_drawn_is_refused(
    stub: RulesStub, fields: dict[str, object], status: grpc.StatusCode
) -> None:
    """Each with its own status."""
    with pytest.raises(grpc.RpcError) as refused:
        ask(stub, **fields)
    assert refused.value.code() is status


def test_nobody_sees_a_picture_without_a_token(stub: RulesStub) -> None:
    """As with the game itself."""
    with pytest.raises(grpc.RpcError) as refused:
        stub.GetPicture(pb.GetPictureRequest(game_id=GAME), timeout=SECONDS)
    assert refused.value.code() is grpc.StatusCode.UNAUTHENTICATED


def test_few_pictures_are_kept(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those drawn last; one that is kept is not drawn again."""
    monkeypatch.setattr(pictures, "PICTURES_KEPT", 2)
    reader = PictureReader(desk.rules.reader)
    end = desk.sequence()
    drawn = [reader.picture(GAME, end)[1]]
    assert reader.picture(GAME)[1] is drawn[0]
    for _ in range(2):
        desk.play_on(1)
        drawn.append(reader.picture(GAME)[1])
    assert reader.picture(GAME)[1] is drawn[-1]
    assert reader.picture(GAME, end)[1] is not drawn[0]


def test_who_cannot_draw_in_time_is_asked_to_come_back(desk: Desk) -> None:
    """With the time after which to ask again."""
    reader = PictureReader(desk.rules.reader, draw_wait_seconds=0.01)
    with reader.turn_to_draw(), pytest.raises(Overloaded) as busy:
        reader.answer(pb.GetPictureRequest(game_id=GAME), 0)
    assert busy.value.trailing


def test_events_come_with_their_sentences_where_they_are_asked_for(desk: Desk, stub: RulesStub) -> None:
    """One for each, page by page."""
    desk.play_on(MOVES)
    request = rules_pb2.ListEventsRequest(game_id=GAME, page_size=7, after_sequence=2)
    bare = stub.ListEvents(request, metadata=token("ann"), timeout=SECONDS)
    assert not bare.sentences
    request.with_sentences = True
    page = stub.ListEvents(request, metadata=token("ann"), timeout=SECONDS)
    assert page.events == bare.events and len(page.sentences) == len(page.events) == 7
    assert any(part.subject for sentence in page.sentences for part in sentence.parts)
