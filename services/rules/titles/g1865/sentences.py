"""Sentences about the events of 1865 alone."""

from __future__ import annotations

from collections.abc import Mapping

from services.rules.kernel.sentences import Template, detail

SENTENCES: Mapping[str, Template] = {
    "MaritimeTaken": Template("{owner} has the sea company {maritime}"),
    "MaritimeClosed": Template("The sea company {maritime} of {player} closes"),
    "PortUsed": Template("The port of {maritime} brings its traffic to {company}"),
    "TrafficChanged": Template("The traffic of {company} changes by {amount}: {reason:word}[ ({subject})]"),
    "TableRowSet": detail("{company} is on row {row} of the Dragon table"),
    "TableRowLeft": detail("{company} leaves the Dragon table"),
    "DragonsChose": Template("The Dragons choose {company}, from {source}"),
    "DragonsActed": Template("The Dragons sold {sold} and bought {bought} certificates"),
    "PassesForgotten": Template(""),
    "DragonsPassed": Template("The Dragons pass"),
    "DirectRouteUsed": Template(
        "{company} joins {hex} by a direct route for {cost} and gets {traffic} traffic"
    ),
    "RevenueReckoned": Template("{company} has {traffic} traffic and covers {coverage}"),
    "TrainPriceOffered": Template("{price} is offered for the train"),
    "CompanyAbsorbed": Template("{absorber} absorbs {company} at {price} for a share"),
    "HomeChosen": Template("{company} is at home in {hex}"),
}
