"""Automatic players. They see only their choices and know no title, so they can play every title."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from services.bots.bot import Bot
from services.bots.chance import EagerBot, RandomBot
from services.bots.sensible import SensibleBot

BOTS: Mapping[str, Callable[[int], Bot]] = {
    "random": RandomBot,
    "eager": EagerBot,
    "sensible": SensibleBot,
}
"""Every bot by name, made from a seed."""

__all__ = ["BOTS", "Bot", "EagerBot", "RandomBot", "SensibleBot"]
