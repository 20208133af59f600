"""What can be played (titles with player counts, options and rulings), and what a table chooses."""

from typing import Literal

import msgspec

from services.lobby.domain.rejections import Rejection, RejectionReason, shown

UndoPolicy = Literal["free", "own_turn", "none"]


class OptionOffer(msgspec.Struct, frozen=True):
    """An option of a title, and the player counts for which it is offered."""

    option_id: str
    player_counts: tuple[int, ...]


class RulingOffer(msgspec.Struct, frozen=True):
    """A ruling of a title and its values."""

    ruling_id: str
    values: tuple[str, ...]


class TitleOffer(msgspec.Struct, frozen=True):
    """A title. The rulebook's own profile has no name and is always available."""

    title: str
    player_counts: tuple[int, ...]
    options: tuple[OptionOffer, ...] = ()
    ruling_profiles: tuple[str, ...] = ()
    rulings: tuple[RulingOffer, ...] = ()


class RulingChoice(msgspec.Struct, frozen=True):
    """A ruling and the value chosen."""

    ruling_id: str
    value: str


class RulingSelection(msgspec.Struct, frozen=True):
    """A named profile, empty for the rulebook's, and single rulings that differ from it."""

    profile: str = ""
    single: tuple[RulingChoice, ...] = ()


class TableChoices(msgspec.Struct, frozen=True):
    """What a table plays. `seed` is None if the server is to draw one."""

    title: str
    player_count: int
    options: tuple[str, ...] = ()
    rulings: RulingSelection = RulingSelection()
    undo_policy: UndoPolicy = "own_turn"
    seed: int | None = None


class TitleRefusal(msgspec.Struct, frozen=True):
    """Why a title does not play what a table chose, and the clause of its rulebook."""

    sentence: str
    clause: str = ""


def reject_choices(
    choices: TableChoices, offer: TitleOffer | None, titles: tuple[str, ...] = ()
) -> Rejection | None:
    """Why these choices are not offered; None if they are. `offer` is that of the chosen title, `titles` are all."""
    if offer is None:
        return Rejection(
            RejectionReason.TITLE_UNKNOWN,
            f"There is no title {shown(choices.title)}. Titles: {', '.join(titles)}.",
            field="title",
        )
    if choices.player_count not in offer.player_counts:
        counts = ", ".join(str(count) for count in offer.player_counts)
        return Rejection(
            RejectionReason.PLAYER_COUNT_NOT_OFFERED,
            f"{offer.title} is played by {counts}, not by {choices.player_count} players.",
            field="player_count",
        )
    rejection = _reject_options(choices, offer) or _reject_rulings(choices.rulings, offer)
    if rejection is None and choices.seed is not None and choices.seed < 0:
        return Rejection(RejectionReason.SEED_NEGATIVE, "A seed is not negative.")
    return rejection


def not_playable(choices: TableChoices, offer: TitleOffer, refusal: TitleRefusal) -> Rejection:
    """The rejection of choices that are offered one by one, but that the title does not play together."""
    sentence = f"{offer.title} does not play this: {refusal.sentence}. {_options_there_are(offer, choices.player_count)}"
    return Rejection(RejectionReason.OPTIONS_NOT_PLAYABLE, sentence, refusal.clause)


def _options_there_are(offer: TitleOffer, players: int) -> str:
    names = [option.option_id for option in offer.options if players in option.player_counts]
    return f"Options of {offer.title} for {players} players: {', '.join(names) or 'none'}."


def _reject_options(choices: TableChoices, offer: TitleOffer) -> Rejection | None:
    offered = {option.option_id: option for option in offer.options}
    chosen: set[str] = set()
    for option_id in choices.options:
        if option_id not in offered:
            return Rejection(
                RejectionReason.OPTION_UNKNOWN,
                f"{offer.title} has no option {shown(option_id)}. {_options_there_are(offer, choices.player_count)}",
            )
        if option_id in chosen:
            return Rejection(RejectionReason.OPTION_REPEATED, f"Option {shown(option_id)} is named twice.")
        if choices.player_count not in offered[option_id].player_counts:
            return Rejection(
                RejectionReason.OPTION_NOT_OFFERED,
                f"Option {shown(option_id)} is not offered for {choices.player_count} players. "
                + _options_there_are(offer, choices.player_count),
            )
        chosen.add(option_id)
    return None


def _reject_rulings(rulings: RulingSelection, offer: TitleOffer) -> Rejection | None:
    if rulings.profile and rulings.profile not in offer.ruling_profiles:
        return Rejection(
            RejectionReason.RULING_PROFILE_UNKNOWN,
            f"{offer.title} has no ruling profile {shown(rulings.profile)}. "
            f"Profiles: {', '.join(offer.ruling_profiles) or 'none'}; without a name the rulebook's.",
        )
    offered = {ruling.ruling_id: ruling for ruling in offer.rulings}
    chosen: set[str] = set()
    for choice in rulings.single:
        if choice.ruling_id not in offered:
            return Rejection(
                RejectionReason.RULING_UNKNOWN,
                f"{offer.title} has no ruling {shown(choice.ruling_id)}. Rulings: {', '.join(offered) or 'none'}.",
            )
        if choice.ruling_id in chosen:
            return Rejection(
                RejectionReason.RULING_REPEATED, f"Ruling {shown(choice.ruling_id)} is named twice."
            )
        if choice.value not in offered[choice.ruling_id].values:
            return Rejection(
                RejectionReason.RULING_VALUE_UNKNOWN,
                f"Ruling {shown(choice.ruling_id)} does not take the value {shown(choice.value)}. "
                f"Values: {', '.join(offered[choice.ruling_id].values)}.",
            )
        chosen.add(choice.ruling_id)
    return None
