"""What one title alone shows of a game, as short words by subject."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from google.protobuf.any_pb2 import Any as AnyMessage

from services.gen.signalbox.rules.v1 import game_pb2
from services.gen.signalbox.titles.g1824.v1 import g1824_pb2
from services.gen.signalbox.titles.g1862.v1 import g1862_pb2
from services.gen.signalbox.titles.g1865.v1 import g1865_pb2
from services.gen.signalbox.titles.rotw.v1 import rotw_pb2


@dataclass(frozen=True, slots=True)
class OwnWords:
    """`companies`, `trains` and `hexes` by their names; `chartered`: companies with that mark; `table`: all else by name."""

    companies: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    chartered: frozenset[str] = frozenset()
    trains: Mapping[str, str] = field(default_factory=dict)
    hexes: Mapping[str, str] = field(default_factory=dict)
    table: Mapping[str, str] = field(default_factory=dict)


def own_words(state: AnyMessage) -> OwnWords:
    """The words of what a view carries for its title."""
    return _READERS[state.TypeName()](state.value)


def plain(word: str) -> str:
    """A word of the rules without the title it belongs to."""
    return word.rpartition(".")[2].replace("_", " ")


def piece_words(piece: game_pb2.LaidTile | g1862_pb2.LaidTile) -> str:
    """A piece on the map."""
    return f"{piece.tile}/{piece.rotation}" + (f" piece {piece.copy}" if piece.copy else "")


def _words_of_1824(value: bytes) -> OwnWords:
    view = g1824_pb2.View.FromString(value)
    return OwnWords({each.company: {"reserved": " ".join(map(str, each.numbers))} for each in view.reserved})


def _words_of_1862(value: bytes) -> OwnWords:
    view = g1862_pb2.View.FromString(value)
    companies: dict[str, dict[str, str]] = defaultdict(dict)
    for each in view.charters:
        companies[each.company]["offer"] = f"{each.offered_from} {each.licence}".strip()
        companies[each.company]["licences"] = " ".join(each.licences)
    return OwnWords(
        companies=companies,
        chartered=frozenset(each.company for each in view.charters if each.chartered),
        trains={each.train: f"{each.kind} {each.warranties}".strip() for each in view.train_terms},
        hexes={each.hex: piece_words(each.piece) for each in view.beneath},
        table={
            "obligations": ", ".join(f"{each.player} for {each.company}" for each in view.obligations),
            "exchange": ", ".join(map(_exchange, view.exchange)),
            "monopoly": view.monopoly,
        },
    )


def _exchange(exchange: g1862_pb2.Exchange) -> str:
    options = "".join(
        f", option of {each.holder} on {each.company} {each.number} ({each.redeem_price}/{each.give_up_price})"
        for each in exchange.options
    )
    other = f" with {exchange.other}" if exchange.other else ""
    return (
        f"{exchange.kind} of {exchange.company}{other} at {exchange.price} by {exchange.player}, "
        f"to act {' '.join(exchange.holders)}{options}"
    )


def _words_of_1865(value: bytes) -> OwnWords:
    view = g1865_pb2.View.FromString(value)
    held = {each.company: " ".join(map(str, each.numbers)) for each in view.dragons}
    companies = {
        each.company: {
            "form": "absorbed" if each.absorbed else "major" if each.major else "minor",
            "traffic": f"{each.traffic} of {each.coverage}",
            "dragon table": f"{each.row} {each.rank} {each.zone} {each.premium_price}" if each.row else "",
            "dragons": held.get(each.company, ""),
        }
        for each in view.railways
    }
    owners = (f"{each.name} {each.owner}{' used' * each.used}" for each in view.maritime)
    return OwnWords(companies, table={"sea companies": ", ".join(owners)})


def _words_of_rotw(value: bytes) -> OwnWords:
    view = rotw_pb2.View.FromString(value)
    companies = {
        each.company: {
            "income": str(each.income_space),
            "bonds": str(each.bonds or ""),
            "chosen": " ".join(each.actions),
        }
        for each in view.railroads
    }
    cities = {
        f"{each.name} ({each.colour})": " ".join(each.cubes) or ("emptied" if each.is_emptied else "none")
        for each in view.cities
    }
    links = {
        f"link {each.link}": f"{each.one} - {each.other} of {each.owner} {'+'.join(each.path)}"
        for each in view.links
    }
    mergers = (
        f"{each.company} acquires {each.target}, {each.voting} votes, done {' '.join(each.voted)}".strip()
        for each in view.merger
    )
    from_where = {"auctioned from": view.auctioned_from, "merger": ", ".join(mergers)}
    return OwnWords(companies, table={**cities, **links, **from_where})


_READERS: Mapping[str, Callable[[bytes], OwnWords]] = {
    "signalbox.titles.g1824.v1.View": _words_of_1824,
    "signalbox.titles.g1862.v1.View": _words_of_1862,
    "signalbox.titles.g1865.v1.View": _words_of_1865,
    "signalbox.titles.rotw.v1.View": _words_of_rotw,
}
