"""What an answer says about the substitutes of a seat, for all clients that show it."""

from __future__ import annotations

from collections.abc import Iterable

from services.gen.signalbox.lobby.v1 import tournament_pb2 as pb, tournament_round_pb2 as round_pb


def turns_of(substitution: round_pb.Substitution, seats: Iterable[pb.SeatResult]) -> tuple[int, int]:
    """How many turns a substitute played, and of how many of the seat: by the result of the table, without one what a director
    gave; 0 and 0 where nobody knows."""
    seat = next((each for each in seats if each.player == substitution.player_id and each.turns), None)
    if seat is None:
        return substitution.substitute_turns, substitution.turns
    played = {each.player_id: each.turns for each in seat.all_substitutes}
    only = {seat.substitute: seat.substitute_turns}
    return (played or only).get(substitution.substitute.player_id, 0), seat.turns
