"""The lobby's `GameDirector` from the rules handlers of the same process."""

from __future__ import annotations

from services.common.errors import InvalidRequest, Unavailable
from services.gen.signalbox.rules.v1.direction_pb2 import Direction
from services.lobby.ports import Directed, DirectionRefused, GameMovedOn
from services.rules.adapters.directions import read_direction
from services.rules.adapters.messages import MalformedMessageError
from services.rules.requests import CommandRejected, Request, StaleSequenceError
from services.rules.service import RulesService
from services.rules.sessions import UnknownGameError


class RulesDirector:
    """Directs games of a rules service."""

    def __init__(self, rules: RulesService) -> None:
        self._rules = rules

    def direct(
        self, game_id: str, author: str, request_id: str, expected_sequence: int, direction: Direction
    ) -> Directed:
        """See `GameDirector`."""
        try:
            command = read_direction(direction, expected_sequence)
            result = self._rules.execute(Request(game_id, author, request_id, expected_sequence, command))
        except MalformedMessageError as problem:
            raise InvalidRequest(str(problem)) from problem
        except StaleSequenceError as stale:
            raise GameMovedOn(stale.actual) from stale
        except UnknownGameError as unknown:
            raise Unavailable(str(unknown)) from unknown
        if isinstance(result, CommandRejected):
            rejection = result.rejection
            raise DirectionRefused(rejection.code, rejection.message, rejection.clause)
        return Directed(game_id, result.first, result.last)
