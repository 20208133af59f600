"""Sentences about the events of 1824 alone."""

from __future__ import annotations

from collections.abc import Mapping

from services.rules.kernel.sentences import Template, detail

SENTENCES: Mapping[str, Template] = {
    "CertificatesReserved": detail("Certificates of {company} are kept for exchanges: {numbers}"),
    "StacksLaid": Template("The private companies lie in stacks"),
    "BondCompanyBegun": Template("{company} is the regional without director"),
    "TokenTrainChanged": detail("The regional without director gets a token with the last train[ {kind}]"),
    "HomeSpaceChanged": detail("The first token of {state} is to take another space"),
    "ListedSharesChanged": Template(""),
    "DirectorLost": Template("{company} falls into receivership; its last director was {player}"),
}
