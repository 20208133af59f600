"""Pictures of games for `GetPicture`: the latest ones are kept, so that what changed between two is found at once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from services.common.errors import NotFound, Overloaded
from services.drawing.board import picture_of
from services.drawing.picture import Picture
from services.gen.signalbox.rules.v1 import picture_pb2 as pb
from services.rules.parts.presentation import presentation_of
from services.rules.reading import GameReader
from services.rules.sessions import UnreachedSequenceError

# A picture takes about 150 KB beside the hexes that it shares with others.
PICTURES_KEPT = 64
# Drawing is work of the processor alone: two at once are no faster than one after the other.
DRAW_WAIT_SECONDS = 2.0
DRAW_AGAIN_MS = 500


class PictureReader:
    """Draws games. Safe to use from many threads."""

    def __init__(self, reader: GameReader, draw_wait_seconds: float = DRAW_WAIT_SECONDS) -> None:
        """`draw_wait_seconds`: how long a caller waits while others are drawn."""
        self._reader = reader
        self._draw_wait_seconds = draw_wait_seconds
        self._kept: OrderedDict[tuple[str, int], Picture] = OrderedDict()
        self._drawing = Lock()

    def answer(self, request: pb.GetPictureRequest, at_sequence: int) -> pb.GetPictureResponse:
        """The picture at a sequence, 0 for the latest, or what changed in it since the one that the caller has. Raises
        `UnknownGameError`, `UnreachedSequenceError`, `NotFound`, `Overloaded`."""
        sequence, picture = self.picture(request.game_id, at_sequence)
        response = pb.GetPictureResponse(
            sequence=sequence,
            checksum=picture.checksum,
            width=round(picture.width),
            height=round(picture.height),
        )
        known = self._known(request)
        changed = picture.changes_since(known) if known is not None else None
        if changed is None:
            response.document = picture.document()
        else:
            response.changed.extend(pb.PictureElement(id=each.id, svg=each.svg) for each in changed)
        return response

    def picture(self, game_id: str, at_sequence: int = 0) -> tuple[int, Picture]:
        """A game at a sequence, 0 for the latest, and which that is. Raises what `answer` does."""
        kept = self._kept.get((game_id, at_sequence))
        if kept is not None:
            return at_sequence, kept
        found = self._reader.game_at(game_id, at_sequence)
        if found.game.round is None:
            raise NotFound(f"the game is still being set up at sequence {found.game.sequence}")
        key = game_id, found.game.sequence
        with self.turn_to_draw():
            picture = self._kept.get(key)
            if picture is None:
                loaded = found.loaded
                picture = picture_of(presentation_of(loaded.title), loaded.data, found.game)
                self._keep(key, picture)
        return found.game.sequence, picture

    def _known(self, request: pb.GetPictureRequest) -> Picture | None:
        """The picture that the caller has; None where that is not the one drawn here."""
        if request.known_sequence < 1:
            return None
        try:
            picture = self.picture(request.game_id, request.known_sequence)[1]
        except (UnreachedSequenceError, NotFound):
            return None
        return picture if picture.checksum == request.known_checksum else None

    def _keep(self, key: tuple[str, int], picture: Picture) -> None:
        self._kept[key] = picture
        while len(self._kept) > PICTURES_KEPT:
            self._kept.popitem(last=False)

    @contextmanager
    def turn_to_draw(self) -> Iterator[None]:
        """Draw alone. Raises `Overloaded`."""
        if not self._drawing.acquire(timeout=self._draw_wait_seconds):
            raise Overloaded("other pictures are being drawn; ask again", DRAW_AGAIN_MS)
        try:
            yield
        finally:
            self._drawing.release()
