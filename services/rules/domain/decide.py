"""The one way into a game: a command becomes events or is refused, and nothing in between."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from services.routing.domain.solution import RouteSolution
from services.rules.domain import events as e
from services.rules.domain.choice import Choice
from services.rules.domain.commands import Command, CreateGame, Undo
from services.rules.domain.draft import Draft
from services.rules.domain.game import Game
from services.rules.domain.rejections import Refused, Rejection, refuse_if
from services.rules.domain.scoring import ranked
from services.rules.domain.title import Action, Context, Step, Title
from services.rules.domain.titledata import TitleData

RULES_VERSION = 1
LARGEST_NUMBER = 1_000_000


@dataclass(frozen=True, slots=True)
class Accepted:
    """The facts a command led to and the state after them."""

    events: tuple[e.Event, ...]
    game: Game


def create(title: Title, command: CreateGame) -> Accepted | Rejection:
    """Set up a game; refused when title, options, rulings or players do not fit together."""
    try:
        _check_table(title, command)
        rulings = _full_rulings(title, command)
        values = {ruling.name: ruling.value for ruling in rulings}
        data = title.load(command.options, values)
        for player in command.players:
            taken = player in data.companies or player in e.RESERVED_HOLDERS
            refuse_if(taken or not player, "duplicate_player", detail=player)
    except Refused as refused:
        return refused.rejection
    draft = Draft(Game(), data)
    context = Context(data)
    draft.emit(
        e.GameCreated(
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
    title.set_up(draft, context, command)
    title.advance(draft, context)
    return Accepted(tuple(draft.events), draft.game)


def _full_rulings(title: Title, command: CreateGame) -> tuple[e.Ruling, ...]:
    chosen = {ruling.name: ruling.value for ruling in command.rulings}
    return tuple(e.Ruling(each.name, chosen.get(each.name, each.values[0])) for each in title.rulings)


def _check_table(title: Title, command: CreateGame) -> None:
    refuse_if(command.title != title.name, "unknown_title", detail=command.title)
    for option in command.options:
        refuse_if(option not in title.options, "unknown_option", detail=option)
    known = {ruling.name: ruling.values for ruling in title.rulings}
    for ruling in command.rulings:
        refuse_if(
            ruling.value not in known.get(ruling.name, ()),
            "unknown_ruling",
            detail=f"{ruling.name}={ruling.value}",
        )
    refuse_if(
        len(command.players) not in title.player_counts, "player_count", detail=str(len(command.players))
    )
    refuse_if(len(set(command.players)) != len(command.players), "duplicate_player")
    title.check_options(command.options, len(command.players))


def decide(
    title: Title,
    data: TitleData,
    game: Game,
    player: str,
    command: Command,
    best_runs: RouteSolution | None = None,
    booked: e.RevenueCorrected | None = None,
) -> Accepted | Rejection:
    """What `command` of `player` leads to. `best_runs` is the proven answer to `title.route_question`, where one is needed.

    `booked`: a recorded game's own figures for the run this command makes; they count instead of what the routes earn.
    Undo is decided by `decide_undo`, which needs the earlier state."""
    context = Context(data, best_runs)
    try:
        action = _admit(title, context, game, player, command)
        action.check(game, context, player, command)
        draft = Draft(game, data)
        action.perform(draft, context, player, command)
        if booked is not None:
            draft.emit(booked)
        title.advance(draft, context)
    except Refused as refused:
        return refused.rejection
    return Accepted(tuple(draft.events), draft.game)


def end_by_hand(title: Title, data: TitleData, game: Game) -> Accepted | Rejection:
    """The players stop here: the game ends with what everybody is worth now."""
    if game.finished:
        return Refused("game_finished").rejection
    draft = Draft(game, data)
    draft.emit(e.GameEnded("manually_ended", ranked(game, data, title.player_value)))
    return Accepted(tuple(draft.events), draft.game)


def _admit(title: Title, context: Context, game: Game, player: str, command: Command) -> Action:
    refuse_if(player not in game.players, "not_a_player", detail=player)
    refuse_if(game.finished, "game_finished")
    _check_numbers(command)
    step = title.step_of(game, context)
    if step is None:
        raise Refused("game_finished")
    action = step.actions.get(type(command))
    if player not in step.players(game, context):
        step.turn_away(game, context, player)
        raise Refused(
            "interrupt_first" if game.interrupts and action is None else "not_your_turn", detail=step.name
        )
    if action is None:
        raise Refused("interrupt_first" if game.interrupts else "wrong_step", detail=step.name)
    return action


def _check_numbers(command: Command) -> None:
    for name in command.__struct_fields__:
        value = getattr(command, name)
        if isinstance(value, int) and not -1 <= value <= LARGEST_NUMBER:
            raise Refused("value_out_of_range", detail=f"{name} = {value}")


def choices(title: Title, data: TitleData, game: Game, player: str) -> tuple[Choice, ...]:
    """Everything `player` may do now, each accepted by `decide` as it is listed (open fields within their bounds)."""
    context = Context(data)
    step = None if game.finished else title.step_of(game, context)
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
    """Who may act now; the first one is asked."""
    context = Context(data)
    step = None if game.finished else title.step_of(game, context)
    return step.players(game, context) if step else ()


def _passes_on(event: e.Event, player: str) -> bool:
    """Whether this event ended the player's turn or put a question to somebody else."""
    if isinstance(event, e.InterruptRaised):
        return event.player != player
    return isinstance(event, (e.TurnEnded, e.TurnStarted, e.RoundEnded, e.GameEnded))


def decide_undo(
    title: Title,
    data: TitleData,
    game: Game,
    player: str,
    command: Undo,
    earlier: Game,
    since: Iterable[e.Event],
) -> Accepted | Rejection:
    """Take the game back to `earlier`, its state at `command.to_sequence`, as far as the table's policy allows.

    `since`: what happened after it. Policy `own_turn`: only while the asking player is to act, within the own turn,
    and not past a question put to somebody else, even when it is answered by now."""
    try:
        refuse_if(player not in game.players, "not_a_player", detail=player)
        refuse_if(game.undo_policy == "none", "undo_forbidden")
        reachable = 0 < command.to_sequence < game.sequence and earlier.sequence == command.to_sequence
        refuse_if(not reachable or earlier.round is None, "undo_target", detail=str(command.to_sequence))
        if game.undo_policy == "own_turn":
            own = all(player in acting_players(title, data, each) for each in (earlier, game))
            passed_on = any(_passes_on(event, player) for event in since)
            refuse_if(not own or passed_on, "undo_forbidden", detail="only within the player's own turn")
    except Refused as refused:
        return refused.rejection
    restored = earlier.copy()
    event = e.Undone(player, command.to_sequence)
    restored.sequence = game.sequence + 1
    return Accepted((event,), restored)
