"""Who plays the seasons of a series: members whom its director names, once they have agreed."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from services.lobby.domain.tournaments.exports.series_file import (
    problems_in,
    read_series_file,
    series_in,
    write_series_file,
)
from services.lobby.domain.tournaments.rejections import TournamentRejected
from services.lobby.domain.tournaments.series.members import JOINS_PER_PLAYER
from services.lobby.domain.tournaments.series.series import Division
from services.lobby.handlers.tournaments.reading import ExportFormat
from services.lobby.series_check import check_series
from services.lobby.series_grpc_server import series_message
from tests.lobby.tournaments.club import done, reason
from tests.lobby.tournaments.test_series import CHARTER, League, without_secrets


@pytest.fixture
def league() -> League:
    """Two divisions of four, of whom nobody has agreed."""
    return League(have_joined=False)


def entered(league: League) -> list[tuple[str, ...]]:
    """Who was entered in the tournaments of the season that runs."""
    reader = league.lobby.tournaments.reader
    return [
        tuple(reader.tournament(each.tournament_id).entries) for each in league.now.seasons[-1].tournaments
    ]


def test_nobody_is_entered_who_did_not_agree(league: League) -> None:
    """The refusal names who is missing, and nothing has changed; then exactly those are entered who joined."""
    for player in league.players[:3]:
        league.join(player)
    before = league.now
    refused = league.series.open_season(league.director, league.series_id, CHARTER)
    assert reason(refused) == "MEMBERS_DID_NOT_AGREE"
    assert refused.sentence == (
        "Division 2 has 0 of at least 2 players who have agreed to play; "
        "not yet: Player 4, Player 5, Player 6, Player 7."
    )
    assert league.now == before
    for player in league.players[4:6]:
        league.join(player)
    opened = done(league.series.open_season(league.director, league.series_id, CHARTER))
    assert entered(league) == [league.first[:3], league.second[:2]]
    assert [each.players for each in opened.divisions] == [league.first, league.second]
    shown = series_message(opened)
    assert list(shown.agreed) == [*league.first[:3], *league.second[:2]]
    assert [list(each.players) for each in shown.seasons[0].divisions] == [
        [*each] for each in entered(league)
    ]
    league.open()
    assert league.now == opened


def test_joining_is_for_oneself_once(league: League) -> None:
    """Again it changes nothing, also with another request id; who is not named cannot, and a stranger's leaving is refused."""
    member, stranger = league.players[0], league.person("Nina")
    joined = league.join(member)
    assert joined.agreed == {member.player_id}
    assert league.join(member).version == joined.version
    handlers = league.lobby.tournaments.series
    first = handlers.leave(member, "l", league.series_id)
    assert handlers.leave(member, "l", league.series_id) == first == league.now
    assert done(league.series.leave(member, league.series_id)).version == joined.version + 1
    assert not league.now.agreed
    before = league.now
    for ask in (league.series.join, league.series.leave):
        for outsider in (stranger, league.director):
            assert reason(ask(outsider, league.series_id)) == "NOT_INVITED"
    assert league.now == before


def test_joining_on_and_on_has_an_end(league: League) -> None:
    """The changes of a series are for all its members; who has joined stays so."""
    restless, other = league.players[:2]
    for _ in range(JOINS_PER_PLAYER - 1):
        league.join(restless)
        done(league.series.leave(restless, league.series_id))
    league.join(restless)
    assert league.join(restless).agreed == {restless.player_id}
    done(league.series.leave(restless, league.series_id))
    assert reason(league.series.join(restless, league.series_id)) == "TOO_MUCH_RECORDED"
    league.join(other)


def test_leaving_during_a_season_changes_the_next_one() -> None:
    """The running one goes on with the player, whom a director takes out in the tournament's own way."""
    league = League()
    (high, _) = league.play_season()
    gone = next(each for each in league.players if each.player_id == high[0])
    done(league.series.leave(gone, league.series_id))
    assert gone.player_id in entered(league)[0]
    closed = done(league.series.close_season(league.director, league.series_id, (), ()))
    assert closed.seasons[0].standings[0].players == high
    assert closed.divisions[0].players[0] == gone.player_id
    done(league.series.open_season(league.director, league.series_id, CHARTER))
    assert entered(league)[0] == closed.divisions[0].players[1:]


def test_who_did_not_play_comes_last_without_points_and_newcomers_are_asked() -> None:
    """Members who agree too late play from the next season on, behind all who played it."""
    league = League(have_joined=False)
    late = league.players[0]
    for player in league.players[1:]:
        league.join(player)
    high, low = league.play_season()
    assert len(high) == 3
    league.join(late)
    nina = league.person("Nina")
    closed = done(league.series.close_season(league.director, league.series_id, ("Nina",), low[-1:]))
    assert [player for each in closed.divisions for player in each.players][-2:] == [
        late.player_id,
        nina.player_id,
    ]
    assert {each.player_id for each in closed.points} == {*high, *low[:2]}
    assert late.player_id in closed.agreed and nina.player_id not in closed.agreed
    done(league.series.open_season(league.director, league.series_id, CHARTER))
    assert nina.player_id not in {player for each in entered(league) for player in each}
    assert late.player_id in entered(league)[1]


def test_members_change_between_seasons(league: League) -> None:
    """Newcomers are invited at the bottom, each division is filled from the one below, and who is out has to be asked again."""
    first, second = league.players[:2]
    nina = league.person("Nina")
    league.join(first)
    change, series_id = league.series.change_members, league.series_id
    changed = done(change(league.director, series_id, ("nina",), (first.player_id,)))
    assert [each.players for each in changed.divisions] == [
        (*league.first[1:], league.second[0]),
        (*league.second[1:], nina.player_id),
    ]
    assert not changed.agreed
    assert reason(league.series.join(first, series_id)) == "NOT_INVITED"
    done(change(league.director, series_id, (first.player_id,), (league.second[1],)))
    assert not league.now.agreed
    league.join(first)
    before = league.now
    assert done(change(league.director, series_id, (), ())).version == before.version
    for caller, newcomers, leaving, wanted in (
        (second, ("nina",), (), "NOT_DIRECTOR"),
        (league.director, ("nobody",), (), "PLAYER_UNKNOWN"),
        (league.director, (), (league.second[1],), "PLAYER_UNKNOWN"),
        (league.director, ("nina",), (), "ALREADY_ENTERED"),
        (league.director, (league.second[1],) * 2, (), "SERIES_MALFORMED"),
        (league.director, (), league.now.members[4:7], "TOO_FEW_PLAYERS"),
    ):
        assert reason(change(caller, series_id, newcomers, leaving)) == wanted
    assert league.now == before
    for player in (*league.players, nina):
        if player.player_id in league.now.members:
            league.join(player)
    done(league.series.open_season(league.director, series_id, CHARTER))
    assert reason(change(league.director, series_id, ("nina",), ())) == "SEASON_RUNNING"


def test_the_file_of_a_series_has_its_members() -> None:
    """In their order among the seasons; a season that seats who had not agreed, or members that do not follow, are named."""
    league = League()
    league.play_season()
    done(league.series.leave(league.players[0], league.series_id))
    done(league.series.close_season(league.director, league.series_id, (), ()))
    league.person("Nina")
    done(league.series.change_members(league.director, league.series_id, ("Nina",), league.second[:1]))
    done(league.series.open_season(league.director, league.series_id, CHARTER))
    checked = check_series(league.log, league.series_id)
    assert checked is not None
    assert (checked.problems, checked.series) == ((), without_secrets(league.now))
    _, content = league.lobby.tournaments.series.exported(league.series_id, ExportFormat.JSON)
    document = read_series_file(content)
    assert (series_in(document), list(problems_in(document))) == (checked.series, [])
    assert write_series_file(document) == content
    *others, changed = document.members
    assert changed.changed is not None
    with pytest.raises(TournamentRejected, match="not in order"):
        series_in(replace(document, members=(*others, changed, changed)))
    *seasons, last = document.seasons
    forged = replace(last, opened=replace(last.opened, divisions=league.now.divisions))
    (problem,) = problems_in(replace(document, seasons=(*seasons, forged)))
    assert problem == "season 2: it is not played by the members who had agreed"
    divisions = (*changed.changed.divisions[1:], Division(("p",)))
    wrong = replace(changed, changed=replace(changed.changed, divisions=divisions))
    problems = list(problems_in(replace(document, members=(*others, wrong))))
    assert any("do not follow from the change of members" in each for each in problems)
