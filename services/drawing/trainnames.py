"""What a train is called on the picture: its kind, or the face it runs as with a star for every warranty."""

from __future__ import annotations

from services.rules.domain.depot import kind_name, kind_of
from services.rules.domain.game import Game
from services.rules.domain.titledata import TitleData


def train_name(data: TitleData, game: Game, train: str) -> str:
    """The name of a train somebody owns."""
    running_as = game.train_kinds.get(train)
    face = kind_of(data, train).faces.get(running_as) if running_as else None
    return (face.name if face else kind_name(train)) + "*" * game.warranties.get(train, 0)
