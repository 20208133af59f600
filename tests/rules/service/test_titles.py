"""ListTitles and GetTitle: everything printed is there, what can be chosen is what the title plays, and the cost is bounded."""

from __future__ import annotations

from itertools import combinations

import pytest
from google.protobuf.json_format import MessageToDict
from msgspec import Struct

from services.common.errors import InvalidRequest, NotFound, Overloaded
from services.gen.signalbox.rules.v1 import title_pb2 as pb
from services.rules.adapters.registry import PARTS
from services.rules.catalogue import PEER_PROFILE, TableRulings
from services.rules.kernel.decide import check_choices
from services.rules.kernel.options import TableOption, rivals_of
from services.rules.kernel.title import Title
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.data import has_map, map_data
from services.rules.parts.market.data import chart_of, has_market
from services.rules.parts.shares.data import CompanyCard, cards_of
from services.rules.parts.shares.printed import PrintedCompany
from services.rules.parts.trains.data import Phase, TrainKind, has_trains, phases_of, train_kinds_of
from services.rules.parts.trains.printed import PrintedPhase, PrintedTrain
from services.rules.titlereader import TitleReader
from services.rules.titles import TITLES

BYTES_MAX = 64 * 1024
RULEBOOK = TableRulings("", {})
READER = TitleReader(TITLES)


def view_of(title: str, options: tuple[str, ...] = (), rulings: TableRulings = RULEBOOK) -> pb.TitleView:
    """What GetTitle answers."""
    return READER.title(title, options, rulings).view()


def data_of(title: str, options: tuple[str, ...] = ()) -> TitleData:
    """The same with the rulebook's rulings, as games have it."""
    return TITLES[title].load(options, {each.name: each.values[0] for each in TITLES[title].rulings})


@pytest.mark.parametrize("title", TITLES)
def test_the_list_has_what_a_table_needs(title: str) -> None:
    """Name, numbers of players, options, profiles and parts."""
    summary = next(each for each in READER.summaries() if each.title == title)
    assert summary.name == data_of(title).header.name
    assert list(summary.player_counts) == list(TITLES[title].all_player_counts)
    assert list(summary.options) == [option.name for option in TITLES[title].options]
    assert summary.ruling_count == len(TITLES[title].rulings)
    assert list(summary.ruling_profiles) == [PEER_PROFILE]
    assert list(summary.parts) == [part.name for part in TITLES[title].parts]


@pytest.mark.parametrize("title", TITLES)
def test_a_title_has_what_its_parts_print_and_nothing_else(title: str) -> None:
    """A title without a map simply has none."""
    view = view_of(title)
    for part in PARTS:
        if part.printed is not None:
            assert view.HasField(part.name) == (part in TITLES[title].parts), part.name


@pytest.mark.parametrize("title", TITLES)
def test_the_whole_map_is_printed(title: str) -> None:
    """Each hex with its face, terrain and neighbours, each tile with its pieces."""
    data, printed = data_of(title), view_of(title).map
    if not has_map(data):
        return
    board = map_data(data)
    assert printed.orientation == board.figures.orientation
    assert [each.hex for each in printed.hexes] == list(board.hexes)
    for each in printed.hexes:
        hex_ = board.hexes[each.hex]
        assert (each.name, each.face.colour, each.face.label) == (
            hex_.name,
            hex_.face.colour,
            hex_.face.label,
        )
        assert {cost.terrain: cost.cost for cost in each.terrain} == hex_.terrain
        assert [other or None for other in each.neighbours] == list(board.neighbours[each.hex])
        assert len(each.face.track) == len(hex_.face.paths)
        for stop, ours in zip(each.face.stops, hex_.face.stops, strict=True):
            assert (stop.kind, stop.slots, stop.area or None) == (ours.kind, ours.slots, ours.area)
            by_key = {revenue.key: revenue.amount for revenue in stop.revenue}
            assert all(
                by_key.get(key, by_key.get("")) == ours.value(key) for key in board.figures.revenue_keys
            )
    tiles = {tile.tile: tile for tile in printed.tiles}
    assert {name: tile.count for name, tile in tiles.items()} == {
        name: tile.count for name, tile in board.tiles.items()
    }
    for name, tile in tiles.items():
        ends = [
            (tuple(end.edge for end in path.edges), path.stop if path.HasField("stop") else None)
            for path in tile.face.track
        ]
        assert ends == [
            (tuple(end.edge for end in path.edges), path.stop) for path in board.tiles[name].face.paths
        ]


@pytest.mark.parametrize("title", TITLES)
def test_all_cards_are_printed(title: str) -> None:
    """Companies, trains, phases and the chart, with the figures of their own that a title adds."""
    data, view = data_of(title), view_of(title)
    for company in view.shares.companies:
        card = cards_of(data)[company.symbol]
        assert (company.name, tuple(company.tokens)) == (card.name, card.tokens)
        assert (tuple(company.certificates), tuple(company.divided_into)) == (
            card.certificates,
            card.divided_into,
        )
        assert (company.home_hex or None) == (card.home.hex if card.home else None)
        needed = company.float_shares if company.HasField("float_shares") else None
        assert (needed is None) == (card.float_percent is None)
        if needed is not None:
            assert (needed - 1) * 100 < card.divided_into[0] * (card.float_percent or 0) <= needed * 100
    assert len(view.shares.companies) == len(cards_of(data))
    if has_trains(data):
        trains = {
            train.name: (train.price, train.count, tuple(train.removed_by)) for train in view.trains.trains
        }
        assert trains == {
            name: (kind.price, kind.count, kind.removed_by) for name, kind in train_kinds_of(data).items()
        }
        phases = {
            phase.name: (
                tuple(phase.tiles),
                {each.company_kind: each.limit for each in phase.train_limits},
            )
            for phase in view.trains.phases
        }
        assert phases == {name: (phase.tiles, phase.train_limit) for name, phase in phases_of(data).items()}
    if has_market(data):
        assert [tuple(row.prices) for row in view.market.rows] == list(chart_of(data).rows)
        zones = {zone.name: [(cell.row, cell.column) for cell in zone.cells] for zone in view.market.zones}
        assert zones == {name: list(cells) for name, cells in chart_of(data).zones.items()}


RENAMED = {
    "colours": "fill_colour",
    "home": "home_hex",
    "float_percent": "float_shares",
    "train_limit": "train_limits",
}


@pytest.mark.parametrize(
    ("card", "printed"), [(CompanyCard, PrintedCompany), (TrainKind, PrintedTrain), (Phase, PrintedPhase)]
)
def test_no_figure_of_a_card_is_forgotten(card: type[Struct], printed: type[Struct]) -> None:
    """What a part adds to its cards is printed too."""
    shown = set(printed.__struct_fields__)
    assert [name for name in card.__struct_fields__ if RENAMED.get(name, name) not in shown] == []


def test_what_only_one_title_prints_comes_under_its_own_names() -> None:
    """The income of a mountain railway, the faces of a train, the amounts of a title."""
    cards = {each.symbol: MessageToDict(each.own) for each in view_of("1824").shares.companies}
    assert (cards["B1"]["income"], cards["B1"]["exchange"]["forced_by_train"]) == (25, "4")
    view = view_of("1862")
    trains = {train.name: MessageToDict(train.own) for train in view.trains.trains}
    assert trains["A"]["faces"]["express"]["name"] == "2E"
    figures = MessageToDict(view.figures)
    assert (figures["tokens_most"], figures["companies_from"]["A"]["2"]) == (7, 8)


@pytest.mark.parametrize("title", TITLES)
def test_rulings_come_with_values_default_and_question(title: str) -> None:
    """In the title's order; the profile names the value of each."""
    view = view_of(title)
    for shown, ruling in zip(view.rulings, TITLES[title].rulings, strict=True):
        assert (shown.name, shown.question) == (ruling.name, ruling.question)
        assert tuple(shown.values) == ruling.values
    (profile,) = view.ruling_profiles
    assert {each.name: each.value for each in profile.rulings} == {
        each.name: each.peer for each in TITLES[title].rulings
    }


def seems_playable(view: pb.TitleView, chosen: tuple[str, ...], players: int) -> bool:
    """What a client makes of the descriptions of options."""
    options = {option.name: option for option in view.options}
    counts = {each.players for each in view.player_counts}
    if players not in counts.union(*(options[name].player_counts for name in chosen)):
        return False
    for name in chosen:
        option = options[name]
        if players not in option.player_counts or set(option.excludes) & set(chosen):
            return False
        is_needed = players in option.needed_by_players and bool(option.needs_one_of)
        if is_needed and not set(option.needs_one_of) & set(chosen):
            return False
    return True


@pytest.mark.parametrize("title", TITLES)
def test_the_descriptions_of_options_say_exactly_what_is_playable(title: str) -> None:
    """For every number of players and every set of up to four options."""
    played: Title = TITLES[title]
    view = view_of(title)
    options = [option.name for option in view.options]
    for players in played.all_player_counts:
        for size in range(5):
            for chosen in combinations(options, size):
                plays = check_choices(played, chosen, (), players) is None
                assert seems_playable(view, chosen, players) == plays, (chosen, players)


def test_options_and_rulings_change_what_is_printed() -> None:
    """More trains in the long game, the layout of Goods Time, three operating rounds in phase 5 by the peer's ruling."""
    counts = {train.name: train.count for train in view_of("1862", ("long_game",)).trains.trains}
    assert counts != {train.name: train.count for train in view_of("1862").trains.trains}
    assert view_of("1824").layout == "base map"
    assert view_of("1824", ("goods_time",)).layout == "Goods Time"
    three = TableRulings("", {"operating_rounds_in_phase_5": "three"})
    assert view_of("1824", (), three).trains != view_of("1824").trains
    assert view_of("1824", (), three).map == view_of("1824").map


def test_what_lies_along_hexsides_is_printed() -> None:
    """Six kinds for a hex with a river or mountains along an edge, none for others; both hexes of a side say the same."""
    hexes = {each.hex: each for each in view_of("1865").map.hexes}
    assert list(hexes["F17"].sides) == ["sea", "", "", "", "", ""]
    assert list(hexes["F19"].sides)[3] == "sea"
    assert not hexes["H33"].sides
    assert not any(each.sides for each in view_of("1824").map.hexes)


def test_data_in_files_of_its_own_is_printed_with_the_figures() -> None:
    """The Dragon table and the sea companies of 1865, and that its layout is our own."""
    view = view_of("1865")
    assert view.layout == "house layout, not the published board"
    figures = MessageToDict(view.figures)
    assert figures["dragons"]["premium_prices"]["green"][0] == 20
    assert figures["maritime"]["companies"]["M2"]["ports"] == ["B39", "C40", "D39"]
    assert "not the published board" in view_of("1865", ("short_game",)).layout


def test_the_checksum_is_that_of_the_content() -> None:
    """The same on every replica and for the same options in another order; another one for other content."""
    read = READER.title("1862", ("beginners", "simple_express"), RULEBOOK)
    assert TitleReader(TITLES).title("1862", ("simple_express", "beginners"), RULEBOOK) == read
    assert READER.title("1862", (), RULEBOOK).checksum != read.checksum


def test_what_is_not_there_is_named_with_what_there_is() -> None:
    """Titles, options, profiles and rulings with their values; long texts of clients are cut."""
    with pytest.raises(NotFound, match="no title '1899'; titles: 1824, 1862, 1865"):
        READER.title("1899", (), RULEBOOK)
    with pytest.raises(InvalidRequest, match="steam; options of 1862: short_game, long_game"):
        READER.title("1862", ("steam",), RULEBOOK)
    with pytest.raises(InvalidRequest, match="beginners needs simple_express or simple_freight"):
        READER.title("1862", ("beginners",), RULEBOOK)
    with pytest.raises(InvalidRequest, match=r"'house'; profiles: 18xx\.games"):
        READER.title("1862", (), TableRulings("house", {}))
    with pytest.raises(InvalidRequest, match="tea=hot; rulings of 1824: starting_cash, "):
        READER.title("1824", (), TableRulings("", {"tea": "hot"}))
    with pytest.raises(InvalidRequest, match=r"values of starting_cash: from_bank, beside_bank$"):
        READER.title("1824", (), TableRulings("", {"starting_cash": "none"}))
    with pytest.raises(InvalidRequest) as caught:
        READER.title("1862", ("x" * 100_000,), TableRulings("", {}))
    assert len(str(caught.value)) < 1_000


@pytest.mark.parametrize("title", TITLES)
def test_an_answer_is_small(title: str) -> None:
    """Well within what a message may be."""
    assert len(READER.title(title, (), RULEBOOK).content) < BYTES_MAX


def test_options_may_print_other_figures_for_each_number_of_players() -> None:
    """Cisleithania for two and for three; games share the data of their number."""
    title = TITLES["1824"]
    views = {
        players: READER.title("1824", ("cisleithania",), RULEBOOK, players).view() for players in (0, 2, 3)
    }
    assert views[0] == views[3] and (views[2].bank, views[3].bank) == (4000, 9000)
    assert {each.players for each in views[2].player_counts} == {2, 3}
    assert {each.symbol for each in views[3].shares.companies} > {
        each.symbol for each in views[2].shares.companies
    }
    assert title.load(("cisleithania",), {}, 2) is title.load(("cisleithania",), {"bank_broken": "empty"}, 2)
    assert title.load((), {}, 4) is title.load((), {})
    with pytest.raises(InvalidRequest, match=r"players: .* 2; without options 1824 is for 3, 4, 5, 6"):
        READER.title("1824", (), RULEBOOK, 2)
    with pytest.raises(InvalidRequest, match="players: "):
        READER.title("1824", ("cisleithania",), RULEBOOK, 7)
    with pytest.raises(InvalidRequest, match=r"options: .*cisleithania is for 2, 3 players, not for 4"):
        READER.title("1824", ("cisleithania",), RULEBOOK, 4)


def test_rulings_that_change_nothing_printed_cost_nothing() -> None:
    """Any number of callers with rulings of their own share one answer, and games share one set of data."""
    reader = TitleReader(TITLES)
    first = reader.title("1862", (), RULEBOOK)
    for ruling in TITLES["1862"].rulings:
        read = reader.title("1862", (), TableRulings("", {ruling.name: ruling.values[-1]}))
        assert (read is first) == (ruling.name != "tiles_with_stations"), ruling.name
    values = {each.name: each.values[0] for each in TITLES["1862"].rulings}
    assert TITLES["1862"].load((), values | {"bank_broken": "negative"}) is TITLES["1862"].load((), values)


def test_few_titles_are_read_at_once() -> None:
    """Whatever else is asked for then is to be asked again, without holding a thread; what has been read answers."""
    reader = TitleReader(TITLES)
    known = reader.title("1824", (), RULEBOOK)
    while reader._reading.acquire(blocking=False):
        pass
    assert reader.title("1824", (), RULEBOOK) is known
    with pytest.raises(Overloaded) as refused:
        reader.title("1862", (), RULEBOOK)
    assert refused.value.trailing == (("grpc-retry-pushback-ms", "100"),)
    reader._reading.release()
    assert reader.title("1862", (), RULEBOOK).view().title == "1862"


def test_options_exclude_each_other_whichever_of_them_says_so() -> None:
    """One names the other; a third goes with both."""
    options = (
        TableOption("long", "A long game", excludes=("short",)),
        TableOption("short", "A short one"),
        TableOption("open", "With open hands"),
    )
    assert [rivals_of(options, option.name) for option in options] == [("short",), ("long",), ()]
