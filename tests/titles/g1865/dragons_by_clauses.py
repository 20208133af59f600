"""A second implementation of the Dragons of 1865, written from the clauses 4.3-a to 4.3-n alone."""

from __future__ import annotations

from dataclasses import dataclass, replace

LINE = (10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150, 165, 180, 195, 210, 230, 250, 270, 290, 310, 335,
        360, 385, 410, 435, 460, 490)  # fmt: skip
LIMITS = {2: 6, 3: 10, 4: 10, 5: 16, 6: 16, 7: 16}


@dataclass(frozen=True)
class Railway:
    """One launched company. `above`: how many markers lie on its own at the same value; `size`: percent of a share."""

    name: str
    size: int
    value: int
    above: int
    row: int
    rank: int
    operated: bool
    offer: int
    pool: int
    dragons: int


@dataclass(frozen=True)
class DragonTurn:
    """What the Dragons do: certificates sold by company, the values after it, and what they buy from where."""

    sold: dict[str, int]
    values: dict[str, int]
    bought: tuple[str, str] | None


def zone(railway: Railway) -> str:
    """On the row of phase p a rank up to 2p-2 is red, 2p-1 and 2p white, 2p+1 and more green."""
    if railway.rank <= 2 * railway.row - 2:
        return "red"
    return "white" if railway.rank <= 2 * railway.row else "green"


def turn(phase: int, railways: list[Railway]) -> DragonTurn:
    """First sell all that is red, as far as the bank pool takes it; then buy one green certificate, if below the limit."""
    sold: dict[str, int] = {}
    after: list[Railway] = []
    for railway in railways:
        shares = railway.dragons if zone(railway) == "red" and railway.operated else 0
        while shares and (railway.pool + shares) * railway.size > 50:
            shares -= 1
        if shares:
            sold[railway.name] = shares
        lower = max(0, LINE.index(railway.value) - shares)
        after.append(
            replace(railway, value=LINE[lower], pool=railway.pool + shares, dragons=railway.dragons - shares)
        )
    return DragonTurn(sold, {each.name: each.value for each in after}, _choice(phase, after))


def _choice(phase: int, railways: list[Railway]) -> tuple[str, str] | None:
    if sum(railway.dragons for railway in railways) >= LIMITS[phase]:
        return None
    offered = [
        railway
        for railway in railways
        if zone(railway) == "green"
        and railway.offer + railway.pool > 0
        and (railway.dragons + 1) * railway.size <= 50
    ]
    for key in (_held, _rank, _value, _above):
        least = min(map(key, offered), default=0)
        offered = [railway for railway in offered if key(railway) == least]
    if not offered:
        return None
    (best,) = offered
    return best.name, "offer" if best.offer else "pool"


def _held(railway: Railway) -> int:
    return railway.dragons


def _rank(railway: Railway) -> int:
    """The highest first."""
    return -railway.rank


def _value(railway: Railway) -> int:
    return railway.value


def _above(railway: Railway) -> int:
    return railway.above
