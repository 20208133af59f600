"""What everybody sees of a game, as short words by subject, and what changed between two such pictures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from services.gen.signalbox.events.v1 import events_pb2
from services.gen.signalbox.rules.v1 import game_pb2
from tests.golden.titles import OwnWords, own_words, piece_words, plain

GONE = "none"
TABLE = "table"
COUNTED_FROM_THE_REST = frozenset(("certificates", "worth"))


@dataclass(frozen=True, slots=True)
class Picture:
    """A game at one moment. `cash` by holder; `shares`: who holds each certificate (company, number); `words`: everything
    else by subject (a player, a company, the map, the depot, the table) and name."""

    heading: str
    order: tuple[str, ...]
    actor: str
    step: str
    earned: str
    cash: dict[str, int]
    shares: dict[tuple[str, int], str]
    percents: dict[str, dict[str, int]]
    words: dict[str, dict[str, str]] = field(default_factory=dict)


def picture_of(view: game_pb2.GameView) -> Picture:
    """The picture of a view."""
    shares = {(held.company, number): held.holder for held in view.holdings for number in held.numbers}
    divided = {company.company: company.shares for company in view.companies}
    percents: dict[str, dict[str, int]] = defaultdict(dict)
    for held in view.holdings:
        percents[held.holder][held.company] = held.shares * 100 // divided[held.company]
    cash = {"bank": view.bank_cash}
    cash |= {player.player: player.cash for player in view.players}
    cash |= {company.company: company.cash for company in view.companies}
    return Picture(
        heading=_heading(view),
        order=tuple(view.round.order),
        actor=view.round.actor,
        step=view.round.step.replace("_", " "),
        earned=_sum(view.turn.revenue, view.turn.treasury_income) if view.turn.ran else "",
        cash=cash,
        shares=shares,
        percents=dict(percents),
        words=_words(view),
    )


def _heading(view: game_pb2.GameView) -> str:
    current = view.round
    return f"turn {current.turn}, {plain(current.kind)} round {current.number} of {current.count}"


def _amount(amount: int) -> str:
    return str(amount) if amount else ""


def _words(view: game_pb2.GameView) -> dict[str, dict[str, str]]:
    own = own_words(view.title_state)
    prices = dict(_prices(view))
    runs = {ran.company: ", ".join(_run(run) for run in ran.runs) or "nothing" for ran in view.last_runs}
    words = {player.player: _player(player) for player in view.players}
    for company in view.companies:
        told = {"market": prices.get(company.company, ""), **_company(company, own)}
        told["ran"] = runs.get(company.company, "")
        words[company.company] = told
    words["map"] = _map(view, own)
    words["depot"] = {
        f"{train.train} ({train.price})": str(train.left_count)
        if train.HasField("left_count")
        else "unlimited"
        for train in view.depot
    }
    words["trains"] = dict(own.trains)
    words[TABLE] = _table(view, own)
    return {subject: {name: text for name, text in told.items() if text} for subject, told in words.items()}


def _player(player: game_pb2.PlayerView) -> dict[str, str]:
    return {
        "debt": _amount(player.debt),
        "certificates": f"{player.certificate_count} of {player.certificate_limit}",
        "worth": str(player.value),
    }


def _company(company: game_pb2.CompanyView, own: OwnWords) -> dict[str, str]:
    if company.closed:
        return {"is": "closed"}
    marks = [mark for mark in ("bought", "opened", "operated") if getattr(company, mark)]
    if company.company in own.chartered:
        marks.append("chartered")
    return {
        "is": " ".join(marks),
        "director": company.director,
        "par": _amount(company.par),
        "price paid": _amount(company.price_paid),
        "trains": " ".join(company.trains),
        "tokens": " ".join(str(cost) for cost in company.charter_tokens),
        **own.companies.get(company.company, {}),
    }


def _prices(view: game_pb2.GameView) -> Iterator[tuple[str, str]]:
    """Where each marker stands, and under which others."""
    for cell in view.market:
        for place, company in enumerate(cell.companies):
            above = " under " + " ".join(cell.companies[:place]) if place else ""
            yield company, f"{cell.price} at {cell.row}.{cell.column}{above}"


def _run(run: events_pb2.Run) -> str:
    left_out = [stop for stop in run.stops if run.counted and stop not in run.counted]
    passed = f" without {' '.join(left_out)}" if left_out else ""
    return f"{run.train} {'-'.join(run.stops)}{passed} = {_sum(run.revenue, run.treasury_income)}"


def _sum(revenue: int, treasury_income: int) -> str:
    return f"{revenue} + {treasury_income}" if treasury_income else str(revenue)


def _map(view: game_pb2.GameView, own: OwnWords) -> dict[str, str]:
    shown = {tile.hex: piece_words(tile) for tile in view.tiles}
    for hex_id, piece in own.hexes.items():
        shown[hex_id] += f" over {piece}"
    tokens = {
        f"{city.hex}.{city.city}": " ".join(slot or "-" for slot in city.slots)
        for city in view.tokens
        if any(city.slots)
    }
    return shown | tokens


def _table(view: game_pb2.GameView, own: OwnWords) -> dict[str, str]:
    asked = (f"{each.player} {plain(each.kind)} {each.company} {each.subject}" for each in view.interrupts)
    return {
        "phase": view.phase,
        "priority": view.priority,
        "asked": ", ".join(each.strip() for each in asked),
        "auction": _auction(view.auction) if view.HasField("auction") else "",
        **own.table,
        "ending": view.ending,
        "scores": ", ".join(f"{score.player} {score.value}" for score in view.scores),
    }


def _auction(auction: game_pb2.Auction) -> str:
    bid = (
        f", {auction.leader} {'won with' if auction.won else 'leads with'} {auction.price}"
        if auction.leader
        else ""
    )
    return f"{auction.company} among {' '.join(auction.bidders) or 'nobody'}{bid}"


def changes(before: Picture, after: Picture) -> list[str]:
    """What is different, as short facts: money (but the bank's), shares, then everything else by subject."""
    facts = [*_money(before, after), *_shares(before, after), *_other(before, after)]
    if after.earned and after.earned != before.earned:
        facts.insert(0, f"earned {after.earned}")
    if after.heading == before.heading and after.order != before.order:
        facts.append(f"order {' '.join(after.order)}")
    return facts


def _money(before: Picture, after: Picture) -> Iterator[str]:
    for holder in after.cash:
        difference = after.cash[holder] - before.cash.get(holder, 0)
        if difference and holder != "bank":
            yield f"{holder} {difference:+}"


def _shares(before: Picture, after: Picture) -> Iterator[str]:
    moved: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    for company, number in sorted(before.shares.keys() | after.shares.keys()):
        source, target = (each.shares.get((company, number), GONE) for each in (before, after))
        if source != target:
            moved[company, source, target].append(number)
    for (company, source, target), numbers in moved.items():
        yield f"{company} share {'+'.join(map(str, numbers))} {source} > {target}"


def _other(before: Picture, after: Picture) -> Iterator[str]:
    for subject in after.words:
        old, new = before.words.get(subject, {}), after.words[subject]
        names = [name for name in dict.fromkeys((*new, *old)) if old.get(name) != new.get(name)]
        told = [f"{name} {new.get(name, GONE)}" for name in names if name not in COUNTED_FROM_THE_REST]
        if told:
            yield f"{subject} {', '.join(told)}" if subject != TABLE else ", ".join(told)
