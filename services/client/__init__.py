"""A small Python client for the four services, and an example for authors of bots."""

from __future__ import annotations

from services.client.api_tokens import ApiTokens
from services.client.books import Books
from services.client.calls import Caller, NotAnsweredError, Rejected
from services.client.games import Games, MovedOnError, Offer
from services.client.lobby import Lobby
from services.client.player import Player, play_game
from services.client.retries import AT_ONCE, RIDE_OVER, Retries
from services.client.routes import Routes
from services.client.staff import Staff
from services.client.titles import Titles
from services.client.tournaments import Series, TournamentDesk, Tournaments

__all__ = [
    "AT_ONCE",
    "RIDE_OVER",
    "ApiTokens",
    "Books",
    "Caller",
    "Games",
    "Lobby",
    "MovedOnError",
    "NotAnsweredError",
    "Offer",
    "Player",
    "Rejected",
    "Retries",
    "Routes",
    "Series",
    "Staff",
    "Titles",
    "TournamentDesk",
    "Tournaments",
    "play_game",
]
