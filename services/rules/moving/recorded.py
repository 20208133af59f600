"""A recorded game of 18xx.games that goes on here: its actions are played again, and what the rules lead to is its log."""

from __future__ import annotations

import time
from collections.abc import Mapping

from services.common.errors import DeadlineExceeded
from services.rules.catalogue import PEER_PROFILE
from services.rules.importer.dialect import dialect_of, title_named
from services.rules.importer.record import NotAGameError, Record, parse
from services.rules.importer.replay import Replay, Seating, SetUpRefusedError, play
from services.rules.kernel.rejections import Rejected
from services.rules.kernel.title import Title
from services.rules.moving.opening import IsCancelled, Opening, Wanted, accounts_of
from services.rules.moving.refusals import FileRefused


def open_recorded(
    content: bytes, wanted: Wanted, titles: Mapping[str, Title], is_cancelled: IsCancelled
) -> Opening:
    """The game after the last action of the file. Raises `FileRefused`, which names the first action that is not taken, and
    `DeadlineExceeded` once `is_cancelled`."""
    try:
        record = parse(content)
        title = _title(titles, record.title)
        accounts = accounts_of(tuple(map(str, record.players)), record.names, wanted.accounts)
        replay = _played(record, title, Seating(accounts, wanted.undo_policy), wanted, is_cancelled)
    except SetUpRefusedError as refused:
        rejection = refused.rejection
        raise FileRefused(rejection.code, sentence=rejection.message, clause=rejection.clause) from refused
    except NotAGameError as error:
        raise FileRefused("not_a_game", str(error)) from error
    _check(replay, accounts)
    return Opening(PEER_PROFILE, record.game_id, replay.accepted, tuple(replay.events), replay.game)


def _title(titles: Mapping[str, Title], name: str) -> Title:
    title = title_named(titles, name)
    if title is None:
        raise FileRefused(
            "unknown_title", sentence=Rejected("unknown_title", detail=name).rejection().message
        )
    if dialect_of(title) is None:
        raise FileRefused("title_not_recorded", name)
    return title


def _played(
    record: Record, title: Title, seating: Seating, wanted: Wanted, is_cancelled: IsCancelled
) -> Replay:
    def stop_if_cancelled(done: int, total: int) -> None:
        if is_cancelled():
            raise DeadlineExceeded(f"{done} of {total} actions were played; nothing was imported")

    return play(
        record,
        title,
        time.perf_counter,
        as_recorded=wanted.as_recorded,
        on_progress=stop_if_cancelled,
        seating=seating,
    )


def _check(replay: Replay, accounts: Mapping[str, str]) -> None:
    """Raises `FileRefused` unless everything was accepted and a game that is over ends as in the file."""
    refusal = replay.refusal
    if refusal is not None:
        rejection = refusal.rejection
        raise FileRefused(
            rejection.code,
            sentence=rejection.message,
            clause=rejection.clause,
            number=refusal.line,
            action_id=refusal.id,
            kind=refusal.type,
            player=str(refusal.player),
        )
    if not replay.folds:
        raise FileRefused("fold_differs")
    recorded = {accounts[player]: value for player, value in replay.record.result.items()}
    if replay.game.finished and recorded and recorded != replay.result:
        raise FileRefused("result_differs", f"here {sorted(replay.result.values())}")
