"""Sentences about the events of the Railways of the World advanced game alone."""

from __future__ import annotations

from collections.abc import Mapping

from services.rules.kernel.sentences import Template, detail

SENTENCES: Mapping[str, Template] = {
    "GoodsPlaced": Template("Goods are drawn for {city}: {cubes}"),
    "GameTurnBegan": Template("Turn {turn} of the game begins"),
    "ShareNamed": Template("{player} names a share of {company} from {source} for an auction"),
    "NamingEnded": Template("{player} names no more shares"),
    "ActionChosen": Template("{company} chooses to {action:word}"),
    "LinkBuilt": Template("{company} builds the link {link}"),
    "LinkTakenOver": Template("The link {link} belongs to {company}"),
    "GoodDelivered": Template("{company} delivers a {colour} good from {city} to {target}"),
    "CityEmptied": Template("The last good has left {city}"),
    "IncomeMarked": detail("The income of {company} is at {space}"),
    "MergerProposed": Template(
        "{company} proposes to acquire {target}[, with {shares} new shares][, with {bonds} new bonds]"
    ),
    "BallotOpened": Template("The shareholders of {company} vote"),
    "VoteCast": Template("{player} votes for the merger: {accept}"),
    "MergerDecided": Template("The merger of {company} and {target} is accepted: {accepted}"),
    "CompanyAcquired": Template("{company} has acquired {target}"),
}
