"""The options of a title: what a table can play beside the base game, and which of them go together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from services.rules.kernel.rejections import Rejected, reject_if


class TableOption(Struct, frozen=True, forbid_unknown_fields=True):
    """An option as `title.toml` describes it. `clause`: what a refusal rests on.

    `player_counts`: the numbers of players for which it is offered, empty for all of the title; with some of them the
    title may be playable only with this option. `excludes`: options that
    cannot be played with it; one of the two names the other. `needs_one_of`: options of which at least one must be played
    with it, when `needed_by_players` is empty or names the number of players."""

    name: str
    description: str
    clause: str = ""
    player_counts: tuple[int, ...] = ()
    excludes: tuple[str, ...] = ()
    needs_one_of: tuple[str, ...] = ()
    needed_by_players: tuple[int, ...] = ()

    def is_offered(self, players: int) -> bool:
        """Whether so many players can choose it."""
        return not self.player_counts or players in self.player_counts

    def needs(self, players: int) -> tuple[str, ...]:
        """With so many players one of these must be chosen too; empty when it can stand alone."""
        return self.needs_one_of if not self.needed_by_players or players in self.needed_by_players else ()


def check_options(offered: tuple[TableOption, ...], chosen: tuple[str, ...], players: int) -> None:
    """Refuse options that are unknown, named twice, not for so many players, or do not go together."""
    names = [option.name for option in offered]
    for option_name in chosen:
        reject_if(option_name not in names, "unknown_option", detail=option_name)
        reject_if(chosen.count(option_name) > 1, "unknown_option", detail=f"{option_name} is named twice")
    for option in offered:
        if option.name in chosen:
            _check_option(option, chosen, players)


def _check_option(option: TableOption, chosen: tuple[str, ...], players: int) -> None:
    if not option.is_offered(players):
        counts = ", ".join(map(str, option.player_counts))
        raise Rejected(
            "unknown_option", option.clause, f"{option.name} is for {counts} players, not for {players}"
        )
    for rival in option.excludes:
        reject_if(rival in chosen, "unknown_option", option.clause, f"{option.name} excludes {rival}")
    needed = option.needs(players)
    missing = bool(needed) and not set(needed) & set(chosen)
    detail = f"with {players} players {option.name} needs {' or '.join(needed)}"
    reject_if(missing, "unknown_option", option.clause, detail)


def all_player_counts(counts: Iterable[int], offered: Iterable[TableOption]) -> tuple[int, ...]:
    """How many can play a title that is played by `counts` without any option, least first."""
    return tuple(sorted({*counts, *(players for option in offered for players in option.player_counts)}))


def rivals_of(offered: Iterable[TableOption], name: str) -> tuple[str, ...]:
    """The options that cannot be played together with `name`, whichever of the two says so."""
    options = tuple(offered)
    own = {rival for option in options if option.name == name for rival in option.excludes}
    return tuple(each.name for each in options if each.name in own or name in each.excludes)


def option_faults(options: tuple[TableOption, ...], counts: range) -> Iterator[str]:
    """What is wrong with the options of a title for these numbers of players."""
    names = [option.name for option in options]
    for option in options:
        where = f"title.toml: options {option.name}"
        if names.count(option.name) > 1:
            yield f"{where}: is listed twice"
        for other in (*option.excludes, *option.needs_one_of):
            if other not in names or other == option.name:
                yield f"{where}: there is no other option {other!r}"
        for players in option.needed_by_players:
            if players not in (*counts, *option.player_counts):
                yield f"{where}: the title is not played by {players}"
