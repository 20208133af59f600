"""How 1862 is shown to people: trains by the face they run as, companies with licences and what they hold of themselves."""

from __future__ import annotations

from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.values import kind_name
from services.rules.parts.presentation import CompanyColumn, Presentation, TrainTerms
from services.rules.parts.shares.shares import percent_text, shares_held
from services.rules.parts.shares.state import companies_of
from services.rules.titles.g1862.figures import kind_of, phases_of
from services.rules.titles.g1862.state import charter_of, own


def train_name(data: TitleData, game: Game, train: str) -> str:
    """The face that a train runs as, with a star for every warranty."""
    running_as = own(game).train_kinds.get(train)
    face = kind_of(data, train).faces.get(running_as) if running_as else None
    return (face.name if face else kind_name(train)) + "*" * own(game).warranties.get(train, 0)


def _own_shares(data: TitleData, game: Game, symbol: str) -> str:
    return percent_text(game, symbol, shares_held(game, data, symbol, symbol))


def _initial_price(data: TitleData, game: Game, symbol: str) -> str:
    return str(companies_of(game)[symbol].par or "")


def _licences(data: TitleData, game: Game, symbol: str) -> str:
    return " ".join(licence[:1].upper() for licence in charter_of(game, symbol).licences)


def _obligations(data: TitleData, game: Game, player: str) -> str:
    return "".join(f"; answers for {symbol}" for holder, symbol in own(game).obligations if holder == player)


def _faces(data: TitleData, kind: str) -> str:
    return " ".join(face.name for face in kind_of(data, kind).faces.values())


def _limit_note(data: TitleData, phase: str) -> str:
    return " of each kind of train" if phases_of(data)[phase].limit_of_each_kind else ""


OWN_PRESENTATION = Presentation(
    round_names={"1862.parliamentary": ("parliamentary round", "PAR")},
    train_name=train_name,
    train_terms=TrainTerms(reach_heading="runs as", reach=_faces),
    limit_note=_limit_note,
    player_note=_obligations,
    company_columns=(
        CompanyColumn("own", 48, _own_shares, right=True),
        CompanyColumn("initial", 50, _initial_price, right=True),
        CompanyColumn("licences", 62, _licences),
    ),
)
