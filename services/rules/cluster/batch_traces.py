"""Which command's span every record of a transaction belongs to."""

from __future__ import annotations

from contextlib import AbstractContextManager

from services.common.telemetry.tracing import Headers, from_headers, inject_headers, is_tracing, span


class BatchTraces:
    """Collects the trace headers for the records of one transaction while its commands are decided."""

    def __init__(self) -> None:
        self._of_commits: list[Headers] = []
        self._of_games: dict[str, Headers] = {}
        self._first: Headers = []

    def decided(self, game_id: str, commits: int) -> None:
        """A command was decided, within its span. `commits`: the number of commits staged so far."""
        if is_tracing():
            headers = inject_headers()
            self._first = self._first or headers
            self._of_commits += [headers] * (commits - len(self._of_commits))
            self._of_games[game_id] = headers

    def writing(self, commands: int) -> AbstractContextManager[None]:
        """The span in which all of it is written; it belongs to the first command."""
        return span("rules.owner transaction", parent=from_headers(self._first), commands=commands)

    def of_commit(self, index: int) -> Headers:
        """Headers of the staged commit with this index."""
        return self._of_commits[index] if index < len(self._of_commits) else []

    def of_game(self, game_id: str) -> Headers:
        """Headers of records written once per game and transaction: those of its last command."""
        return self._of_games.get(game_id, [])
