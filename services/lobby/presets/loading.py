"""Reads the preset designs, scoring systems and rating figures; done once, when the module is imported."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import msgspec

from services.lobby.domain.ratings.policy import RatingPolicy
from services.lobby.domain.tournaments.formats.designs import Design
from services.lobby.domain.tournaments.scoring.systems import System

_FOLDER = Path(__file__).parent


class _Named(msgspec.Struct, frozen=True):
    bye_points: int
    system: System


class _Designs(msgspec.Struct, frozen=True):
    designs: tuple[Design, ...]


_systems = msgspec.json.Decoder(dict[str, _Named])
_designs = msgspec.json.Decoder(_Designs)
_ratings = msgspec.json.Decoder(RatingPolicy)


def _read(name: str) -> bytes:
    document: dict[str, Any] = tomllib.loads((_FOLDER / name).read_text(encoding="utf-8"))
    return msgspec.json.encode(document)


_NAMED = _systems.decode(_read("scoring.toml"))
SYSTEMS: dict[str, System] = {name: named.system for name, named in _NAMED.items()}
BYE_POINTS: dict[str, int] = {name: named.bye_points for name, named in _NAMED.items()}
DESIGNS: tuple[Design, ...] = _designs.decode(_read("designs.toml")).designs
RATING_POLICY: RatingPolicy = _ratings.decode(_read("ratings.toml"))
