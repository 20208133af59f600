"""Events that only this title knows. Money, shares and bonds move by events of the kernel."""

from __future__ import annotations

from msgspec.structs import replace

from services.rules.kernel.events import BrokenLog, Event
from services.rules.kernel.game import Game
from services.rules.titles.rotw.state import Link, Merger, NamedShare, RoundNote, State, Vote


class GoodsPlaced(Event, frozen=True):
    """These cubes were drawn for `city`, by colour."""

    city: str
    cubes: tuple[str, ...]

    def write(self, game: Game) -> None:
        """They are in the city."""
        State.to_write(game).goods[self.city] = self.cubes


class GameTurnBegan(Event, frozen=True):
    """A turn of the game begins; in `idle_turns` turns right before it no company built or delivered."""

    turn: int
    idle_turns: int

    def write(self, game: Game) -> None:
        """No company has chosen anything yet."""
        state = State.to_write(game)
        state.actions = {}
        state.idle_turns = self.idle_turns


class ShareNamed(Event, frozen=True):
    """`player` named a share of `company` for an auction; it comes from `source`."""

    player: str
    company: str
    source: str

    def write(self, game: Game) -> None:
        """There is one share at a time."""
        State.to_write(game).named = NamedShare(self.player, self.source)


class NamingEnded(Event, frozen=True):
    """`player` names no more shares in this round of auctions."""

    player: str

    def write(self, game: Game) -> None:
        """The player joins those who are done."""
        note = RoundNote.of_round(game)
        replace(note, done=(*note.done, self.player)).note_round(game)


class ActionChosen(Event, frozen=True):
    """`company` chose to `build`, to `deliver` or to `pass` in this round."""

    company: str
    action: str

    def write(self, game: Game) -> None:
        """The turn lists what the company chose, in order."""
        actions = State.to_write(game).actions
        actions[self.company] = (*actions.get(self.company, ()), self.action)


class LinkBuilt(Event, frozen=True):
    """`company` built the link called `link`; its track takes these hexes, from city to city."""

    link: str
    company: str
    path: tuple[str, ...]

    def write(self, game: Game) -> None:
        """The link is the company's."""
        State.to_write(game).links[self.link] = Link(self.company, self.path)


class LinkTakenOver(Event, frozen=True):
    """`link` belongs to `company` from now on."""

    link: str
    company: str

    def write(self, game: Game) -> None:
        """The owner is replaced."""
        links = State.to_write(game).links
        links[self.link] = replace(links[self.link], owner=self.company)


class GoodDelivered(Event, frozen=True):
    """`company` moved a cube of `colour` from `city` over these links to `target`, where it left the game."""

    company: str
    city: str
    colour: str
    links: tuple[str, ...]
    target: str

    def write(self, game: Game) -> None:
        """The city has one cube of the colour less."""
        goods = State.to_write(game).goods
        cubes = [*goods.get(self.city, ())]
        if self.colour not in cubes:
            raise BrokenLog(f"{self.city} has no {self.colour} cube")
        cubes.remove(self.colour)
        goods[self.city] = tuple(cubes)


class CityEmptied(Event, frozen=True):
    """The last cube has left `city`: it gets an Empty City marker."""

    city: str

    def write(self, game: Game) -> None:
        """The markers are counted in order."""
        state = State.to_write(game)
        state.emptied = (*state.emptied, self.city)


class IncomeMarked(Event, frozen=True):
    """The income marker of `company` is on this `space` of the track."""

    company: str
    space: int

    def write(self, game: Game) -> None:
        """The space is replaced."""
        State.to_write(game).income[self.company] = self.space


class MergerProposed(Event, frozen=True):
    """`company` proposes to acquire `target`, and to issue so many shares and bonds for it."""

    company: str
    target: str
    shares: int
    bonds: int

    def write(self, game: Game) -> None:
        """Nobody votes yet."""
        merger = Merger(self.company, self.target, self.shares, self.bonds)
        State.to_write(game).merger = merger


class BallotOpened(Event, frozen=True):
    """The shareholders of `company` vote on the merger."""

    company: str

    def write(self, game: Game) -> None:
        """There are no votes yet."""
        State.to_write(game).merger = replace(_merger(game), voting=self.company, votes=())


class VoteCast(Event, frozen=True):
    """`player` voted on the merger."""

    player: str
    accept: bool

    def write(self, game: Game) -> None:
        """The vote joins the others of this ballot."""
        merger = _merger(game)
        votes = (*merger.votes, Vote(self.player, self.accept))
        State.to_write(game).merger = replace(merger, votes=votes)


class MergerDecided(Event, frozen=True):
    """The vote on the merger is over."""

    company: str
    target: str
    accepted: bool

    def write(self, game: Game) -> None:
        """No merger is voted on any more."""
        State.to_write(game).merger = None


class CompanyAcquired(Event, frozen=True):
    """`company` has acquired `target` in this round."""

    company: str
    target: str

    def write(self, game: Game) -> None:
        """The round knows the acquirer."""
        note = RoundNote.of_round(game)
        replace(note, acquirers=(*note.acquirers, self.company)).note_round(game)


def _merger(game: Game) -> Merger:
    merger = State.of(game).merger
    if merger is None:
        raise BrokenLog("no merger is voted on")
    return merger


EVENTS: tuple[type[Event], ...] = (
    GoodsPlaced,
    GameTurnBegan,
    ShareNamed,
    NamingEnded,
    ActionChosen,
    LinkBuilt,
    LinkTakenOver,
    GoodDelivered,
    CityEmptied,
    IncomeMarked,
    MergerProposed,
    BallotOpened,
    VoteCast,
    MergerDecided,
    CompanyAcquired,
)
