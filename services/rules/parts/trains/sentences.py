"""Sentences about the events of trains and phases."""

from __future__ import annotations

from collections.abc import Mapping

from services.rules.kernel.sentences import Template, detail

SENTENCES: Mapping[str, Template] = {
    "TrainMoved": Template("Train {train} goes from {source}[ to {target}]: {reason:word}"),
    "TrainKindSold": detail("The first train {kind} is sold"),
    "PhaseStarted": Template("Phase {phase} begins"),
    "TrainsRan": Template("{company} runs for {revenue}[, and {treasury_income} for its treasury]"),
    "RevenueCorrected": Template(
        "{company} books {revenue}[, and {treasury_income} for its treasury], as recorded"
    ),
    "DividendDeclared": Template(
        "Dividend of {company}, revenue {revenue}: {kind:word}[, {per_share} for a share]"
    ),
}
