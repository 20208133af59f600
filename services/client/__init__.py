"""A small Python client for the four services, and an example for authors of bots."""

from __future__ import annotations

from services.client.books import Books
from services.client.calls import Caller, NotAnsweredError, Rejected
from services.client.games import Games, MovedOnError, Offer
from services.client.lobby import Lobby
from services.client.player import Player, play_game
from services.client.routes import Routes
from services.client.titles import Titles

__all__ = [
    "Books",
    "Caller",
    "Games",
    "Lobby",
    "MovedOnError",
    "NotAnsweredError",
    "Offer",
    "Player",
    "Rejected",
    "Routes",
    "Titles",
    "play_game",
]
