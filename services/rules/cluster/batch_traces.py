"""Which command's span every record of a transaction belongs to."""

from __future__ import annotations

from contextlib import AbstractContextManager

from services.common.telemetry.tracing import Headers, from_headers, inject_headers, is_tracing, span


class BatchTraces:
    """Notes, while the commands of one transaction are decided, what goes into the headers of what they lead to."""

    def __init__(self) -> None:
        self._of_commits: list[Headers] = []
        self._of_games: dict[str, Headers] = {}
        self._first: Headers = []

    def decided(self, game_id: str, commits: int) -> None:
        """Within the span of a command that was just decided: so many commits are staged by now in all."""
        if is_tracing():
            headers = inject_headers()
            self._first = self._first or headers
            self._of_commits += [headers] * (commits - len(self._of_commits))
            self._of_games[game_id] = headers

    def writing(self, commands: int) -> AbstractContextManager[None]:
        """The span in which all of it is written; it belongs to the first command."""
        return span("rules.owner transaction", parent=from_headers(self._first), commands=commands)

    def of_commit(self, place: int) -> Headers:
        """Headers of the commit at this place of those staged."""
        return self._of_commits[place] if place < len(self._of_commits) else []

    def of_game(self, game_id: str) -> Headers:
        """Headers of what is written once for a game, however many of its commands were decided: the last one's."""
        return self._of_games.get(game_id, [])
