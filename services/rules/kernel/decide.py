"""Decides commands: each results in events or in a rejection."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import astuple

from services.rules.kernel.choice import Choice
from services.rules.kernel.commands import Command, CreateGame, Undo
from services.rules.kernel.directing.events import AudienceSet, DirectorDecided
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import (
    Event,
    GameCreated,
    GameEnded,
    InterruptRaised,
    RoundEnded,
    TurnEnded,
    TurnStarted,
    Undone,
)
from services.rules.kernel.fold import taken_back
from services.rules.kernel.game import Game
from services.rules.kernel.options import all_player_counts, check_options
from services.rules.kernel.rejections import Rejected, Rejection, reject_if
from services.rules.kernel.scoring import ranked
from services.rules.kernel.title import Action, Context, Step, Title
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.values import EVERYBODY, Ruling
from services.rules.kernel.vocabulary import RESERVED_HOLDERS

RULES_VERSION = 1
LARGEST_NUMBER = 1_000_000


class Accepted(Struct, frozen=True):
    """The events of a command and the state after them."""

    events: tuple[Event, ...]
    game: Game


def create(title: Title, command: CreateGame) -> Accepted | Rejection:
    """Set up a game; rejected when title, options, rulings or players do not fit together."""
    try:
        reject_if(command.title != title.name, "unknown_title", detail=command.title)
        reject_if(len(set(command.players)) != len(command.players), "duplicate_player")
        _check_choices(title, command.options, command.rulings, len(command.players))
        rulings = _full_rulings(title, command)
        values = {ruling.name: ruling.value for ruling in rulings}
        data = title.load(command.options, values, len(command.players))
        holders = data.holders()
        for player in command.players:
            taken = player in holders or player in RESERVED_HOLDERS
            reject_if(taken or not player, "duplicate_player", detail=player)
    except Rejected as rejected:
        return rejected.rejection(title.reasons)
    draft = Draft(Game(), data)
    context = Context(data)
    draft.emit(
        GameCreated(
            title=title.name,
            rules_version=RULES_VERSION,
            players=command.players,
            options=command.options,
            rulings=rulings,
            undo_policy=command.undo_policy,
            seed=command.seed,
            bank_cash=title.opening_bank(data, len(command.players), values),
        )
    )
    if command.audience != EVERYBODY:
        seen_by = command.audience
        draft.emit(
            AudienceSet(seen_by.is_invited, seen_by.readers, seen_by.delay_moves, seen_by.delay_seconds)
        )
    title.set_up(draft, context, command)
    title.advance(draft, context)
    return Accepted(tuple(draft.events), draft.game)


def _full_rulings(title: Title, command: CreateGame) -> tuple[Ruling, ...]:
    chosen = {ruling.name: ruling.value for ruling in command.rulings}
    return tuple(Ruling(each.name, chosen.get(each.name, each.values[0])) for each in title.rulings)


def check_choices(
    title: Title, options: tuple[str, ...], rulings: Iterable[Ruling], players: int
) -> Rejection | None:
    """Why `create` rejects these choices for any players; None when a game can be set up with them."""
    try:
        _check_choices(title, options, rulings, players)
    except Rejected as rejected:
        return rejected.rejection(title.reasons)
    return None


def _check_choices(title: Title, options: tuple[str, ...], rulings: Iterable[Ruling], players: int) -> None:
    counts = all_player_counts(title.player_counts, (each for each in title.options if each.name in options))
    reject_if(players not in counts, "player_count", detail=str(players))
    known = {ruling.name: ruling.values for ruling in title.rulings}
    for ruling in rulings:
        reject_if(
            ruling.value not in known.get(ruling.name, ()),
            "unknown_ruling",
            detail=f"{ruling.name}={ruling.value}",
        )
    check_options(title.options, options, players)
    title.check_further(options, players)


def decide(
    title: Title,
    data: TitleData,
    game: Game,
    player: str,
    command: Command,
    answer: object = None,
    correction: Event | None = None,
) -> Accepted | Rejection:
    """Decide `command` of `player`. `answer`: the answer to the question that the title asks about the command, if it asks one.

    `correction`: a recorded game's own figures for the run this command makes; they count instead of what the routes earn.
    Undo is decided by `decide_undo`, which needs the earlier state."""
    try:
        reject_if(game.suspended, "game_suspended")
        draft = Draft(game, data)
        carry_out(title, Context(data, answer), draft, player, command, correction)
    except Rejected as rejected:
        return rejected.rejection(title.reasons)
    return Accepted(tuple(draft.events), draft.game)


def carry_out(
    title: Title,
    context: Context,
    draft: Draft,
    player: str,
    command: Command,
    correction: Event | None = None,
) -> None:
    """Write to `draft` what `command` of `player` leads to; raises `Rejected`. A suspended game is no reason: a director acts
    for a seat in one. `correction`: see `decide`."""
    action = _admit(title, context, draft.game, player, command)
    action.check(draft.game, context, player, command)
    action.perform(draft, context, player, command)
    if correction is not None:
        draft.emit(correction)
    title.advance(draft, context)


def end_by_hand(title: Title, data: TitleData, game: Game) -> Accepted | Rejection:
    """End the game on the players' decision, with the present value of each."""
    if game.finished:
        return Rejected("game_finished").rejection()
    draft = Draft(game, data)
    draft.emit(GameEnded("manually_ended", ranked(game, data, title.player_value)))
    return Accepted(tuple(draft.events), draft.game)


def _admit(title: Title, context: Context, game: Game, player: str, command: Command) -> Action:
    if player not in game.players:
        raise Rejected("not_a_player", detail=player)
    if game.finished:
        raise Rejected("game_finished")
    _check_numbers(command)
    step = title.step_of(game, context)
    if step is None:
        raise Rejected("game_finished")
    action = step.actions.get(type(command))
    if player not in step.players(game, context):
        step.turn_away(game, context, player)
        raise Rejected(
            "interrupt_first" if game.interrupts and action is None else "not_your_turn", detail=step.name
        )
    if action is None:
        raise Rejected("interrupt_first" if game.interrupts else "wrong_step", detail=step.name)
    return action


def _check_numbers(command: Command) -> None:
    for place, value in enumerate(astuple(command)):
        if isinstance(value, int) and not -1 <= value <= LARGEST_NUMBER:
            raise Rejected("value_out_of_range", detail=f"{command.__struct_fields__[place]} = {value}")


def choices(title: Title, data: TitleData, game: Game, player: str) -> tuple[Choice, ...]:
    """Everything `player` may do now, each accepted by `decide` as it is listed (open fields within their bounds)."""
    context = Context(data)
    step = None if game.finished or game.suspended else title.step_of(game, context)
    if step is None or player not in step.players(game, context):
        return ()
    return tuple(_legal(step, game, context, player))


def _legal(step: Step, game: Game, context: Context, player: str) -> list[Choice]:
    legal = []
    for action in step.actions.values():
        for candidate in action.candidates(game, context, player):
            if candidate.open_field == "runs" or action.allows(game, context, player, candidate.command):
                legal.append(candidate)
    return legal


def acting_players(title: Title, data: TitleData, game: Game) -> tuple[str, ...]:
    """Who may act now; the first one is asked. Nobody while the game is suspended."""
    return () if game.suspended else asked_players(title, data, game)


def asked_players(title: Title, data: TitleData, game: Game) -> tuple[str, ...]:
    """Who has to decide next, whether or not the game is suspended."""
    context = Context(data)
    step = None if game.finished else title.step_of(game, context)
    return step.players(game, context) if step else ()


def _passes_on(event: Event, player: str) -> bool:
    """Whether this event ended the player's turn or put a question to somebody else."""
    if isinstance(event, InterruptRaised):
        return event.player != player
    return isinstance(event, (TurnEnded, TurnStarted, RoundEnded, GameEnded))


def decide_undo(
    title: Title,
    data: TitleData,
    game: Game,
    player: str,
    command: Undo,
    earlier: Game,
    since: Iterable[Event],
) -> Accepted | Rejection:
    """Take the game back to `earlier`, its state at `command.to_sequence`, as far as the table's policy allows.

    `since`: what happened after it. Policy `own_turn`: only while the asking player is to act, within the own turn,
    and not past a question put to somebody else, even when it is answered by now. No policy goes back past what a director
    decided about the play."""
    since = tuple(since)
    try:
        reject_if(player not in game.players, "not_a_player", detail=player)
        reject_if(game.suspended, "game_suspended")
        reject_if(game.undo_policy == "none", "undo_forbidden")
        reachable = 0 < command.to_sequence < game.sequence and earlier.sequence == command.to_sequence
        reject_if(not reachable or earlier.round is None, "undo_target", detail=str(command.to_sequence))
        reject_if(any(map(_is_directed, since)), "undo_forbidden", detail="a director has decided since")
        if game.undo_policy == "own_turn":
            own = all(player in asked_players(title, data, each) for each in (earlier, game))
            passed_on = any(_passes_on(event, player) for event in since)
            reject_if(not own or passed_on, "undo_forbidden", detail="only within the player's own turn")
    except Rejected as rejected:
        return rejected.rejection(title.reasons)
    after = taken_back(earlier, since)
    after.sequence = game.sequence + 1
    return Accepted((Undone(player, command.to_sequence),), after)


def _is_directed(event: Event) -> bool:
    """Whether a director changed the play, and not only who plays or whether play goes on."""
    return isinstance(event, DirectorDecided) and event.kind not in ("assign_seat", "suspend", "resume")
