"""Sentences about the events of 1862 alone."""

from __future__ import annotations

from collections.abc import Mapping

from services.rules.kernel.sentences import Template, detail

SENTENCES: Mapping[str, Template] = {
    "CompanyOffered": Template("{company} is on offer from phase {phase} on[, with the licence {licence}]"),
    "LicencesSet": Template("{company} may run {licences}"),
    "CharterSideSet": detail("The charter of {company} lies on its chartered side: {chartered}"),
    "ChartAreaSet": detail("The marker of {company} is in the chartered area: {chartered_area}"),
    "ObligationTaken": Template("{player} answers for {company} being quoted in time"),
    "ObligationMet": Template("{company} is quoted in time; {player} answers no more for it"),
    "ObligationFailed": Template("{company} is not quoted in time; {player} answered for it"),
    "FailuresCleared": Template(""),
    "TrainKindChosen": Template("Train {train} runs as {kind} from now on"),
    "WarrantiesSet": detail("Train {train} has {count} warranties left"),
    "TrainAbandoned": Template("Train {train} leaves the game with {company}"),
    "AbandonedTrainTaken": Template("Train {train} is in the game again"),
    "StationAdded": Template("The tile on {hex} adds a small station"),
    "StationsCovered": detail("The tile on {hex} replaces one with small stations"),
    "ExchangeStarted": Template(
        "{player} begins a {kind:word} of {company}[ and {other}] at {price} for a share"
    ),
    "OptionMarked": Template(
        "{holder} keeps an option on a share of {company}: {redeem_price} or {give_up_price}"
    ),
    "OptionSettled": Template("The option of {holder} on a share of {company} is redeemed: {redeemed}"),
    "HolderSettled": detail("{holder} is through with the exchange"),
    "ExchangeEnded": Template("The exchange of shares into {company} is over"),
    "MonopolyFormed": Template("{name} forms; the certificate limit is {certificate_limit}"),
}
