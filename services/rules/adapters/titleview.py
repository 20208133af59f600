"""A title as messages: in a list, and with everything that is printed in its box."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from google.protobuf import struct_pb2
from google.protobuf.message import Message
from msgspec import Struct

from services.gen.signalbox.rules.v1 import title_pb2 as pb
from services.rules.adapters.codec import ruling_message
from services.rules.adapters.messages import pair
from services.rules.adapters.registry import PARTS
from services.rules.kernel.options import TableOption, rivals_of
from services.rules.kernel.printed import plain
from services.rules.kernel.title import RulingChoice, Title
from services.rules.kernel.titledata import Header, TitleData
from services.rules.kernel.values import Ruling
from services.rules.parts.presentation import presentation_of

# The field of a part carries its name.
_PRINTED: Mapping[str, Callable[[Struct], Message]] = {
    part.name: pair(part.printed_type, type(getattr(pb.TitleView(), part.name))).encode
    for part in PARTS
    if part.printed_type is not None
}


def title_summary(title: Title, name: str, profiles: Iterable[str]) -> pb.TitleSummary:
    """A title in a list; `name` is that on the box."""
    return pb.TitleSummary(
        title=title.name,
        name=name,
        player_counts=title.all_player_counts,
        options=[option.name for option in title.options],
        ruling_count=len(title.rulings),
        ruling_profiles=profiles,
        parts=[part.name for part in title.parts],
    )


def title_view(
    title: Title, data: TitleData, profiles: Mapping[str, tuple[Ruling, ...]], options: tuple[str, ...]
) -> pb.TitleView:
    """Everything that is printed, as `data` has it for these options, and what can be chosen."""
    header = data.header
    view = pb.TitleView(
        title=title.name,
        name=header.name,
        currency=header.currency,
        chosen_options=options,
        layout=header.layout,
        bank=header.bank,
        player_counts=[_figures_of(header, players) for players in header.player_counts],
        options=[_option(title, each) for each in title.options],
        rulings=[_ruling(each) for each in title.rulings],
        ruling_profiles=[
            pb.RulingProfile(name=name, rulings=map(ruling_message, rulings))
            for name, rulings in profiles.items()
        ],
        round_names=[
            pb.RoundName(kind=kind, name=name, short_name=short)
            for kind, (name, short) in presentation_of(title).round_names.items()
        ],
        figures=_figures(title, data),
    )
    for part in title.parts:
        if part.printed is not None:
            getattr(view, part.name).CopyFrom(_PRINTED[part.name](part.printed(data)))
    return view


def _figures(title: Title, data: TitleData) -> struct_pb2.Struct:
    """The figures of the title alone, and by name the sections of its data that belong to no part."""
    of_parts = {part.name for part in title.parts}
    own = {name: section for name, section in data.sections.items() if name not in of_parts}
    figures = struct_pb2.Struct()
    figures.update(plain(data.figures) | plain(own))
    return figures


def _figures_of(header: Header, players: int) -> pb.PlayerCountFigures:
    return pb.PlayerCountFigures(
        players=players,
        starting_cash=header.starting_cash[players],
        certificate_limit=header.certificate_limit.get(players),
    )


def _option(title: Title, option: TableOption) -> pb.OptionView:
    counts = option.player_counts or tuple(title.player_counts)
    needs = [players for players in counts if option.needs(players)]
    return pb.OptionView(
        name=option.name,
        description=option.description,
        clause=option.clause,
        player_counts=counts,
        excludes=rivals_of(title.options, option.name),
        needs_one_of=option.needs_one_of,
        needed_by_players=needs,
    )


def _ruling(ruling: RulingChoice) -> pb.RulingView:
    return pb.RulingView(
        name=ruling.name, question=ruling.question, values=ruling.values, clauses=ruling.clauses
    )
