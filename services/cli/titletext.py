"""A title as text for a terminal, from what GetTitle answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.table import Table

from services.gen.signalbox.rules.v1 import title_pb2 as pb


def summary_table(titles: Iterable[pb.TitleSummary]) -> Table:
    """All titles, a line each."""
    table = _table("title", "name", "players", "options", "rulings", "profiles")
    for title in titles:
        table.add_row(
            title.title,
            title.name,
            _counts(title.player_counts),
            ", ".join(title.options) or "none",
            str(title.ruling_count),
            ", ".join(title.ruling_profiles),
        )
    return table


def title_tables(view: pb.TitleView) -> Iterator[Table]:
    """What can be chosen, and what is printed in tables. Map, tiles and chart have too many lines: see `--json`."""
    yield _players(view)
    if view.options:
        yield _options(view)
    yield _rulings(view)
    if view.HasField("shares"):
        yield _companies(view.shares)
    if view.HasField("trains"):
        yield _trains(view.trains)
        yield _phases(view.trains)
    if view.HasField("map"):
        yield _tiles(view.map)
    if view.HasField("market"):
        yield _market(view.market)


def _players(view: pb.TitleView) -> Table:
    table = _table("players", "starting cash", "certificate limit", title=f"Players ({view.currency})")
    for each in view.player_counts:
        limit = str(each.certificate_limit) if each.HasField("certificate_limit") else ""
        table.add_row(str(each.players), str(each.starting_cash), limit)
    return table


def _options(view: pb.TitleView) -> Table:
    table = _table(
        "option", "what it changes", "players", "excludes", "needs one of", "clause", title="Options"
    )
    for each in view.options:
        needs = " or ".join(each.needs_one_of)
        if needs and each.needed_by_players != each.player_counts:
            needs += f" (with {_counts(each.needed_by_players)} players)"
        excludes = ", ".join(each.excludes)
        table.add_row(each.name, each.description, _counts(each.player_counts), excludes, needs, each.clause)
    return table


def _rulings(view: pb.TitleView) -> Table:
    profiles = [profile.name for profile in view.ruling_profiles]
    table = _table("ruling", "question", "values (default first)", *profiles, "clauses", title="Rulings")
    values = [{each.name: each.value for each in profile.rulings} for profile in view.ruling_profiles]
    for each in view.rulings:
        chosen = [profile[each.name] for profile in values]
        table.add_row(each.name, each.question, ", ".join(each.values), *chosen, ", ".join(each.clauses))
    return table


def _companies(companies: pb.PrintedCompanies) -> Table:
    table = _table("symbol", "name", "kind", "home", "certificates", "tokens", title="Companies")
    for each in companies.companies:
        table.add_row(
            each.symbol, each.name, each.kind, each.home_hex, _list(each.certificates), _list(each.tokens)
        )
    return table


def _trains(trains: pb.PrintedTrains) -> Table:
    table = _table("train", "kind", "count", "price", "removed by", title="Trains")
    for each in trains.trains:
        count = str(each.count) if each.count else "no limit"
        table.add_row(each.name, each.kind, count, str(each.price), ", ".join(each.removed_by))
    return table


def _phases(trains: pb.PrintedTrains) -> Table:
    table = _table("phase", "tiles", "operating rounds", "train limits", title="Phases")
    for each in trains.phases:
        limits = ", ".join(f"{limit.company_kind} {limit.limit}" for limit in each.train_limits)
        table.add_row(each.name, ", ".join(each.tiles), str(each.operating_rounds), limits)
    return table


def _tiles(board: pb.PrintedMap) -> Table:
    table = _table("colour", "tiles (pieces)", title=f"Map of {len(board.hexes)} hexes, {board.orientation}")
    for colour in board.tile_colours:
        of_colour = [tile for tile in board.tiles if tile.face.colour == colour]
        table.add_row(colour, ", ".join(f"{tile.tile} ({tile.count})" for tile in of_colour))
    return table


def _market(market: pb.PrintedMarket) -> Table:
    table = _table("prices", title="Price chart, top row first")
    for row in market.rows:
        table.add_row(" ".join(str(price) if price else "." for price in row.prices))
    return table


def _table(*columns: str, title: str | None = None) -> Table:
    return Table(*columns, title=title, title_justify="left")


def _counts(counts: Sequence[int]) -> str:
    """`2-8`, or `7, 8` where numbers are missing or few."""
    runs = len(counts) > 2 and list(counts) == list(range(counts[0], counts[-1] + 1))
    return f"{counts[0]}-{counts[-1]}" if runs else _list(counts)


def _list(values: Iterable[object]) -> str:
    return ", ".join(map(str, values))
