"""Choices and commands in the words of the game: the only place of the playthroughs that knows the types of commands."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from msgspec.structs import asdict, fields

from services.rules.kernel.choice import Choice, filled
from services.rules.kernel.commands import AnswerOffer, Command, Pass, Undo
from services.rules.parts.auctions.commands import Bid
from services.rules.parts.map.commands import ChooseToken, LayTile, PlaceToken
from services.rules.parts.shares.commands import BuyCertificate, SellCertificates, StartCompany
from services.rules.parts.trains.commands import BuyTrain, DeclareDividend, RunTrains
from services.rules.titles.g1824.commands import (
    BuyCompany,
    DiscardTrain,
    ExchangeCompany,
    RepayDebt,
    TradeInTrain,
)
from services.rules.titles.g1862.commands import (
    BuyNewTrain,
    BuyTokens,
    ChooseSurvivor,
    Merge,
    RaiseCash,
    RedeemCertificate,
    SettleOption,
)
from services.rules.titles.g1865.commands import (
    Absorb,
    ConvertCompany,
    HandOver,
    LaunchAnew,
    PlaceTokenByRoute,
    TakeMaritime,
)
from services.rules.titles.rotw.commands import (
    BuildLink,
    DeliverGood,
    NameShare,
    PayDividend,
    ProposeMerger,
    RepayBonds,
)
from tests.golden.titles import plain

OPEN_NUMBER = "#"


@dataclass(frozen=True, slots=True)
class Phrase:
    """`kind` names the kind of command, `text` puts its fields into a sentence, `details` those that differ from their
    default."""

    kind: str
    text: str
    details: Mapping[str, str]


def _phrase(kind: str, text: str, /, **details: str) -> Phrase:
    return Phrase(kind, f"{kind} {text}".strip(), details)


PHRASES: Mapping[type[Command], Phrase] = {
    Pass: _phrase("pass", ""),
    BuyCompany: _phrase("buy company", "{company} for {price}"),
    BuyCertificate: _phrase("buy share", "of {company} from {source}", number=", number {}"),
    StartCompany: _phrase("start", "{company} at {price}"),
    SellCertificates: _phrase("sell", "{shares} of {company}", numbers=", numbers {}"),
    ExchangeCompany: _phrase("exchange", "{company} for {target}", number=", number {}"),
    LayTile: _phrase("lay tile", "{tile}/{rotation} in {hex} for {company}", copy=", piece {}"),
    PlaceToken: _phrase("place token", "of {company} in {hex}.{city}", slot=", space {}"),
    RunTrains: _phrase("run trains", "of {company}"),
    DeclareDividend: _phrase("dividend", "of {company}: {kind}"),
    BuyTrain: _phrase("buy train", "{train} from {seller} for {price} for {company}"),
    TradeInTrain: _phrase("trade in", "{trade_in} of {company} for {train} at {price}"),
    BuyNewTrain: _phrase(
        "buy new train",
        "{train} for {price} for {company}, as {kind}",
        warranties=", with {} warranties",
    ),
    AnswerOffer: _phrase("answer", "{accept}"),
    DiscardTrain: _phrase("discard train", "{train} of {company}"),
    ChooseToken: _phrase("give up token", "of {company} in {hex}.{city}"),
    RepayDebt: _phrase("repay", "{amount}"),
    Bid: _phrase("bid", "{price} for {company}"),
    BuyTokens: _phrase("buy tokens", "{count} for {company}"),
    Merge: _phrase("merge", "{company} with {other}"),
    ChooseSurvivor: _phrase("keep", "{company}"),
    SettleOption: _phrase("redeem option", "{redeem}"),
    RedeemCertificate: _phrase("redeem share", "of {company}"),
    RaiseCash: _phrase("raise cash", "for {company} by {source}"),
    TakeMaritime: _phrase("take sea company", "{maritime}"),
    ConvertCompany: _phrase("convert", "{company}"),
    HandOver: _phrase("hand over", "{maritime} to {company}"),
    PlaceTokenByRoute: _phrase("build station", "of {company} in {hex}.{city} by {route}"),
    LaunchAnew: _phrase("launch anew", "{company} at {price} in {hex}.{city}"),
    Absorb: _phrase("absorb", "{target} by {company}, tokens in {replaced}, mines left {abandoned}"),
    NameShare: _phrase("name share", "of {company} from {source} at {price}"),
    BuildLink: _phrase(
        "build link", "{path} for {company}", shares=", issuing {} shares", bonds=", taking {} bonds"
    ),
    DeliverGood: _phrase("deliver", "{colour} from {city} over {links} for {company}"),
    RepayBonds: _phrase("pay back", "{amount} of {company}"),
    PayDividend: _phrase("pay out", "{amount} of {company}"),
    ProposeMerger: _phrase(
        "acquire", "{target} for {company}", shares=", issuing {} shares", bonds=", taking {} bonds"
    ),
}
NOT_CHOSEN = frozenset((Undo,))
"""Commands that are in no list of choices."""


def kind_of(command: Command) -> str:
    """The kind of command in one or two words."""
    return PHRASES[type(command)].kind


def words_of(command: Command, open_field: str = "") -> str:
    """The command as one short sentence; an open number is shown as `#`. Trains run as suggested, so runs are left out."""
    phrase = PHRASES[type(command)]
    values = {name: _word(value) for name, value in asdict(command).items()}
    if "kind" in values:
        values["kind"] = plain(values["kind"])
    if open_field in values:
        values[open_field] = OPEN_NUMBER
    defaults = _defaults(type(command))
    details = (
        text.format(values[name])
        for name, text in phrase.details.items()
        if getattr(command, name) != defaults[name]
    )
    return phrase.text.format_map(values) + "".join(details)


@cache
def _defaults(kind: type[Command]) -> Mapping[str, Any]:
    return {info.name: info.default for info in fields(kind)}


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return "+".join(str(each) for each in value)
    return str(value)


def words_of_choice(choice: Choice) -> str:
    """The choice as one short line, with the bounds of its open number and what it costs."""
    text = words_of(choice.command, choice.open_field)
    if choice.open_field not in ("", "runs"):
        text += f" [# {choice.minimum} to {choice.maximum} by {choice.step}]"
    return f"{text} (cost {choice.cost})" if choice.cost else text


def command_of(text: str, choices: Sequence[Choice]) -> Command | None:
    """The command that a line of a playthrough tells of, if one of the choices allows it."""
    for choice in choices:
        shape = words_of(choice.command, choice.open_field)
        if shape == text:
            return choice.command
        pattern = re.escape(shape).replace(re.escape(OPEN_NUMBER), "([0-9]+)")
        if OPEN_NUMBER in shape and (found := re.fullmatch(pattern, text)):
            number = int(found[1])
            if number in range(choice.minimum, choice.maximum + 1, choice.step):
                return filled(choice, number)
    return None


def boundary_commands(choice: Choice) -> tuple[Command, ...]:
    """What stands for a choice where sequences are counted: an open number at its lowest and at its highest."""
    lowest, highest = filled(choice, choice.minimum), filled(choice, choice.maximum)
    return (lowest,) if lowest == highest else (lowest, highest)
