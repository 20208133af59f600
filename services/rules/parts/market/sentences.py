"""Sentences about the events of the price chart."""

from __future__ import annotations

from collections.abc import Mapping

from services.rules.kernel.sentences import Template

SENTENCES: Mapping[str, Template] = {
    "PriceStarted": Template("{company} starts at {price}"),
    "PriceMoved": Template("A share of {company} is now worth {price}: {reason:word}"),
    "PriceRemoved": Template("{company} leaves the price chart"),
}
