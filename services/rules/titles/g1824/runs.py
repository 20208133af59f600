"""Running trains and dividing what they earn in 1824 (VII.9, VII.10)."""

from __future__ import annotations

from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import Rejected, reject_if
from services.rules.kernel.title import Context
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.market.data import chart_of
from services.rules.parts.market.market import shift
from services.rules.parts.shares.shares import shares_held
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.bestruns import proven_runs
from services.rules.parts.trains.commands import RunTrains
from services.rules.parts.trains.dividends import dividend_step, keep_or_pay, move_marker
from services.rules.parts.trains.events import DividendDeclared
from services.rules.parts.trains.routes import HexBonus, OneStopPerHex
from services.rules.parts.trains.running import run_step
from services.rules.parts.trains.runrules import RunRules, can_run
from services.rules.parts.trains.state import Run, train_turn
from services.rules.titles.g1824.companies import MINORS, acts, decides
from services.rules.titles.g1824.figures import cards_of, figures_of
from services.rules.titles.g1824.rulings import plays

NO_TRACK = ("route_unknown_track", "1824/VII.2-b")
FAULTS = {
    "unknown_train": ("train_not_owned", "1824/VII.9-a"),
    "unknown_stop": NO_TRACK,
    "unknown_segment": NO_TRACK,
    "train_runs_twice": ("route_runs_twice", "1824/VII.9-a"),
    "route_not_connected": NO_TRACK,
    "route_too_short": ("route_too_short", "1824/VII.2-b"),
    "route_repeats_place": ("route_repeats_place", "1824/VII.9-h"),
    "route_track_reused": ("route_track_reused", "1824/VII.2-d"),
    "route_no_token": ("route_no_token", "1824/VII.2-c"),
    "route_mine_needs_goods_train": ("1824.route_mine_train", "1824/VII.3-a"),
    "goods_route_needs_one_mine": ("1824.route_mine_train", "1824/VII.9-d"),
    "route_mine_in_middle": ("1824.route_mine_train", "1824/VII.3-b"),
    "route_offboard_in_middle": ("route_passes_terminal", "1824/VII.2-g"),
    "route_passes_terminal_track": ("route_passes_terminal", "1824/VII.2-g"),
    "route_passes_blocked_city": ("route_passes_blocked_city", "1824/VII.2-i"),
    "route_too_long": ("route_too_long", "1824/VII.9-b"),
    "trains_share_track": ("1824.trains_share_track", "1824/VII.9-j"),
}


def _one_stop_per_hex(game: Game) -> OneStopPerHex:
    return "cities" if plays(game, "one_stop_per_hex", "cities") else "none"


def _bonuses(data: TitleData) -> tuple[HexBonus, ...]:
    """What a run to the Bukowina earns, where the table plays with it (X.4-o)."""
    bonus = figures_of(data).run_bonus
    return (HexBonus("run_bonus", bonus.amount, (bonus.origins, bonus.targets)),) if bonus else ()


RUNS = RunRules(
    lambda fault: FAULTS[fault.reason],
    NO_TRACK,
    not_owned="1824/VII.9-a",
    twice="1824/VII.9-a",
    one_stop_per_hex=_one_stop_per_hex,
    bonuses=_bonuses,
)


def demands_best(game: Game) -> bool:
    """Whether only the runs that earn the most will do (VII.10-e)."""
    return not plays(game, "best_run", "free")


def _check_best(game: Game, context: Context, command: RunTrains, runs: tuple[Run, ...]) -> None:
    if not demands_best(game):
        return
    best = proven_runs(context)
    if best is None:
        raise Rejected("routing_unavailable", "1824/VII.10-e", retryable=True)
    revenue = sum(run.revenue for run in runs)
    if revenue < best.revenue:
        possible = RUNS.reckon(game, context.data, best).revenue
        reject_if(revenue < possible, "route_not_best", "1824/VII.10-e", f"{revenue} against {possible}")


def kinds_of_dividend(data: TitleData, company: str) -> tuple[str, ...]:
    """How this kind of company may divide its revenue (VII.10-f, IV.2-j, IV.3-k)."""
    return ("half",) if cards_of(data)[company].kind in MINORS else ("pay", "withhold")


def _divide(draft: Draft, context: Context, company: str, kind: str) -> None:
    """Pay mine income into the treasury, pay or keep the revenue, and move the marker of a major."""
    data = context.data
    revenue, income = train_turn(draft.game).revenue, train_turn(draft.game).treasury_income
    draft.pay(BANK, company, income, "1824.mine_income", company)
    if kind == "half":
        _split(draft, company, revenue)
    else:
        _keep_or_pay(draft, data, company, kind, revenue)
        move_marker(draft, data, company, kind, revenue)


def _keep_or_pay(draft: Draft, data: TitleData, company: str, kind: str, revenue: int) -> None:
    """Players get the revenue, or the treasury; by ruling it gets the dividends of shares in the pool too."""
    per_share = keep_or_pay(draft, data, company, kind, revenue, draft.game.players)
    if plays(draft.game, "pool_dividends", "company"):
        in_pool = shares_held(draft.game, data, POOL, company)
        draft.pay(BANK, company, per_share * in_pool, "1824.pool_dividend", company)


def _split(draft: Draft, company: str, revenue: int) -> None:
    """The owner of a minor, who has its one share, gets half of the revenue rounded down (IV.2-j, IV.3-k)."""
    draft.pay(BANK, companies_of(draft.game)[company].director, revenue // 2, "dividend", company)
    draft.pay(BANK, company, revenue - revenue // 2, "revenue_withheld", company)
    draft.emit(DividendDeclared(company, "half", revenue, revenue // 2, 1))


def _must_run(game: Game, context: Context) -> bool:
    """Whether the company has trains to run, somewhere to go, and somebody who decides."""
    return acts(game) and can_run(game, context.data)


def _divide_unasked(draft: Draft, context: Context) -> None:
    """A state without director falls in price; minors always split, and nothing earned is nothing to decide (IV.4.4-k,
    IV.2-j, IV.3-k, VII.10-h)."""
    company = draft.game.actor
    if not acts(draft.game):
        shift(draft, context.data, company, chart_of(context.data).moves.no_dividend, "1824.no_director")
    elif cards_of(context.data)[company].kind in MINORS:
        _divide(draft, context, company, "half")
    elif train_turn(draft.game).revenue <= 0:
        _divide(draft, context, company, "withhold")


RUN = run_step(decides, RUNS.resolve, _must_run, _check_best)
DIVIDE = dividend_step(
    decides, kinds_of_dividend, _divide, "1824/VII.10-f", begin=_divide_unasked, is_asked=acts
)
