"""Forbidden pairs in stages whose tables follow from the format."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest
from msgspec.structs import replace

from services.lobby.domain.rejections import Rejection
from services.lobby.domain.tournaments.charter import Charter, charter_json
from services.lobby.domain.tournaments.formats.stages import Format, Groups, KnockOut
from services.lobby.domain.tournaments.pairing import rearranging
from services.lobby.domain.tournaments.rounds import proposing
from services.lobby.domain.tournaments.rounds.round import Round
from services.lobby.domain.tournaments.tournament import Tournament
from tests.lobby.tournaments.club import Club, charter_of, done, reason

Pair = tuple[str, str]


def ids(club: Club) -> list[str]:
    """The players in order of entry, which is that of their seeds."""
    return [each.player_id for each in club.players]


def meetings(current: Round) -> set[frozenset[str]]:
    """The pairs that meet in a round."""
    return {frozenset(pair) for table in current.proposal.tables for pair in combinations(table.seats, 2)}


def forbid(club: Club, event: Tournament, charter: Charter, *pairs: Pair) -> Tournament:
    """The event after its charter has been amended."""
    text = charter_json(replace(charter, forbidden=pairs))
    latest = club.lobby.tournaments.reader.tournament(event.tournament_id)
    amended: Tournament = done(
        club.desk.amend(club.director, event.tournament_id, text, latest.charter_version, "a quarrel")
    )
    return amended


@pytest.mark.parametrize(
    ("kind", "players", "is_tried"),
    [
        (Groups(7, 4), 7, "no other groups"),
        (Groups(4, 4, 1), 4, "no other groups of these sizes are without, and no other tables"),
        (KnockOut(2), 4, "no other tables"),
    ],
)
def test_a_pair_that_has_to_meet_is_rejected_until_it_may(kind: Format, players: int, is_tried: str) -> None:
    """There is one group, or one table: nothing is proposed, and the sentence says that there is no other."""
    club = Club(players)
    pair = (ids(club)[0], ids(club)[3])
    charter = charter_of(kind, forbidden=(pair,))
    event = club.tournament(charter)
    refused = club.rounds.propose(club.director, event.tournament_id)
    assert reason(refused) == "NO_ARRANGEMENT"
    assert is_tried in refused.sentence
    forbid(club, event, charter)
    done(club.rounds.propose(club.director, event.tournament_id))


def test_a_search_that_ended_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not known then whether other tables would do."""
    for module in (rearranging, proposing):
        monkeypatch.setattr(module, "STEPS_MAX", 5)
    club = Club(8)
    pair = (ids(club)[0], ids(club)[3])
    event = club.tournament(charter_of(KnockOut(2), forbidden=(pair,)))
    refused = club.rounds.propose(club.director, event.tournament_id)
    assert isinstance(refused, Rejection)
    assert "a search for other tables ended after 5 steps" in refused.sentence


def test_a_knock_out_seats_a_forbidden_pair_at_two_tables() -> None:
    """4 changes places with 3, the other of the second row; in the consolation and the next round likewise."""
    club = Club(16)
    by_seed = ids(club)
    charter = charter_of(KnockOut(2, has_consolation=True), forbidden=((by_seed[0], by_seed[7]),))
    event = club.tournament(charter)
    seats = club.published(event.tournament_id).proposal.tables[0].seats
    assert [by_seed.index(each) + 1 for each in seats] == [1, 7, 9, 16]
    first = club.lobby.tournaments.reader.rounds(club.director.player_id, event.tournament_id)[0]
    for state in first.tables.values():
        club.finish(state)
    plain = done(club.rounds.propose(club.director, event.tournament_id))
    main, out = plain.proposal.tables[0].seats, plain.proposal.tables[2].seats
    pairs = ((main[0], main[3]), (out[0], out[3]))
    forbid(club, event, charter, *pairs)
    again = done(club.rounds.propose(club.director, event.tournament_id))
    assert not {frozenset(pair) for pair in pairs} & meetings(again)
    assert again.main_tables == plain.main_tables == 2
    for few in (slice(2), slice(2, 4)):
        assert {each for table in again.proposal.tables[few] for each in table.seats} == {
            each for table in plain.proposal.tables[few] for each in table.seats
        }


def test_a_forbidden_pair_is_drawn_into_two_groups() -> None:
    """Of a preset design, in which all pairs of a group meet."""
    club = Club(14)
    plain = club.tournament(charter_of(Groups(7, 4)))
    pair = ids(club)[0], ids(club)[3]
    assert frozenset(pair) in meetings(done(club.rounds.propose(club.director, plain.tournament_id)))
    event = club.tournament(charter_of(Groups(7, 4), forbidden=(pair,)))
    proposed = done(club.rounds.propose(club.director, event.tournament_id))
    assert frozenset(pair) not in meetings(proposed)
    assert len(meetings(proposed)) == 2 * 21
    assert len(proposed.proposal.tables) == 14


def played_groups(club: Club, event: Tournament) -> Iterator[Round]:
    """The rounds of a stage of groups, each played."""
    while not isinstance(club.rounds.propose(club.director, event.tournament_id), Rejection):
        yield club.play(event.tournament_id)


def test_a_forbidden_pair_of_the_only_group_is_at_two_tables_in_each_round() -> None:
    """Where the rounds were searched, nobody has to meet everybody."""
    club = Club(8)
    pair = ids(club)[0], ids(club)[1]
    event = club.tournament(charter_of(Groups(8, 4, 4), forbidden=(pair,)))
    rounds = list(played_groups(club, event))
    assert len(rounds) == 4
    assert frozenset(pair) not in set().union(*map(meetings, rounds))


def test_a_pair_that_is_forbidden_later_stays_in_its_group() -> None:
    """The groups of the first round are those of all rounds; the two are at different tables from then on."""
    club = Club(16)
    charter = charter_of(Groups(8, 4, 3), forbidden=((ids(club)[0], ids(club)[3]),))
    event = club.tournament(charter)
    first = club.play(event.tournament_id)
    group = {player for table in first.proposal.tables[:2] for player in table.seats}
    one, *others = sorted(group)
    pair = one, next(each for each in others if frozenset((one, each)) not in meetings(first))
    forbid(club, event, charter, *charter.forbidden, pair)
    rest = list(played_groups(club, event))
    assert len(rest) == 2
    for each in rest:
        assert frozenset(pair) not in meetings(each)
        assert {player for table in each.proposal.tables[:2] for player in table.seats} == group
