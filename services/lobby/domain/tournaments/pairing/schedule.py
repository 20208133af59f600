"""All rounds of an event at once, so that no pair meets twice: for groups and for small events with many rounds."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations

Rounds = list[list[list[int]]]
Pair = tuple[int, int]

DRAWS = 100
"""Draws of odd tables, of which the first without repeats is taken."""
ATTEMPTS = 4
"""Starts from other lots, which share the steps."""
TABU = 12
"""An exchanged player stays for this many exchanges."""


def plan_rounds(
    first: Sequence[Sequence[int]],
    sizes: Sequence[Sequence[int]],
    met: Mapping[Pair, int],
    odd: Sequence[int],
    preferred: int,
    numbers: Iterator[int],
    steps: int,
) -> tuple[Rounds, int]:
    """Rounds in which odd tables go round, and the number of their repeated meetings: 0 if that is reached.

    Players are 0, 1, ... `sizes` are those of the tables of each round, `met` counts earlier meetings, `odd` earlier seats at
    tables without the preferred size. With `first`, these tables are the first round and stay as they are."""
    fixed = int(bool(first))
    best: Rounds = []
    cost = -1
    for _ in range(ATTEMPTS):
        made = _initial(first, sizes, met, odd, preferred, numbers)
        schedule = _Schedule(made, met, odd, preferred, fixed)
        schedule.improve(numbers, steps // ATTEMPTS)
        if cost < 0 or schedule.best_cost < cost:
            best, cost = schedule.best, schedule.best_cost
        if cost == 0:
            break
    return best, cost


def _initial(
    first: Sequence[Sequence[int]],
    sizes: Sequence[Sequence[int]],
    met: Mapping[Pair, int],
    odd: Sequence[int],
    preferred: int,
    numbers: Iterator[int],
) -> Rounds:
    """Rounds by lot around odd tables that are shared evenly, and at which as few as possible have met."""
    made = [[list(table) for table in first]] if first else []
    known = set(met) | {pair for table in first for pair in combinations(sorted(table), 2)}
    counts = [
        count + any(player in table and len(table) != preferred for table in first)
        for player, count in enumerate(odd)
    ]
    odd_sizes = [[size for size in row if size != preferred] for row in sizes[len(made) :]]
    drawn = (_odd_tables(odd_sizes, known, counts, numbers) for _ in range(DRAWS))
    best, repeats = next(drawn)
    for tables, count in drawn:
        if not repeats:
            break
        if count < repeats:
            best, repeats = tables, count
    for odd_tables in best:
        seated = {player for table in odd_tables for player in table}
        waiting = _by_lot([player for player in range(len(odd)) if player not in seated], numbers)
        starts = range(0, len(waiting), preferred)
        made.append([*odd_tables, *(waiting[start : start + preferred] for start in starts)])
    return made


def _odd_tables(
    sizes: Sequence[Sequence[int]], known: Collection[Pair], counts: Sequence[int], numbers: Iterator[int]
) -> tuple[Rounds, int]:
    """The odd tables of each round, filled with those who had the fewest of them, and how many pairs meet again at them."""
    counts, known = list(counts), set(known)
    rounds: Rounds = []
    repeats = 0
    for row in sizes:
        waiting = _by_lot(range(len(counts)), numbers)
        tables: list[list[int]] = []
        for size in row:
            table: list[int] = []
            for _ in range(size):
                again = [sum(_pair(player, other) in known for other in table) for player in waiting]
                index = min(range(len(waiting)), key=lambda at: (counts[waiting[at]], again[at]))
                repeats += again[index]
                table.append(waiting.pop(index))
            tables.append(table)
            known |= set(combinations(sorted(table), 2))
        for player in (player for table in tables for player in table):
            counts[player] += 1
        rounds.append(tables)
    return rounds, repeats


def _by_lot(players: Iterable[int], numbers: Iterator[int]) -> list[int]:
    lots = {player: next(numbers) for player in players}
    return sorted(lots, key=lots.__getitem__)


def _pair(one: int, other: int) -> Pair:
    return (one, other) if one < other else (other, one)


class _Schedule:
    """Rounds, how often pairs meet in them, and a tabu search over exchanges within a round.

    Sets of players are bits of integers: `_met` holds whom each player meets, `_again` whom more than once."""

    def __init__(
        self, rounds: Rounds, met: Mapping[Pair, int], odd: Sequence[int], preferred: int, fixed: int
    ) -> None:
        count = len(odd)
        self.rounds = rounds
        self._fixed = fixed
        self._odd = list(odd)
        self._is_odd = [[len(table) != preferred for table in tables] for tables in rounds]
        self._at = [{p: i for i, table in enumerate(tables) for p in table} for tables in rounds]
        self._masks = [[sum(1 << p for p in table) for table in tables] for tables in rounds]
        self._meetings = [[0] * count for _ in range(count)]
        self._met, self._again = [0] * count, [0] * count
        for (one, other), times in met.items():
            for _ in range(times):
                self._meet(one, other, 1)
        repeats_before = self._repeats()
        for table in (table for tables in rounds for table in tables):
            for one, other in combinations(table, 2):
                self._meet(one, other, 1)
            for player in table:
                self._odd[player] += len(table) != preferred
        self.cost = self._repeats() - repeats_before
        self.best, self.best_cost = _copy(rounds), self.cost

    def improve(self, numbers: Iterator[int], steps: int) -> None:
        """Make the best exchange of a player who meets somebody again, better or not, until there is none."""
        tabu: dict[tuple[int, int], int] = {}
        time = 0
        open_rounds = range(self._fixed, len(self.rounds))
        while self.best_cost > 0 and steps > 0 and open_rounds:
            time += 1
            steps -= 1
            index = open_rounds[next(numbers) % len(open_rounds)]
            troubled = self._troubled(index)
            if not troubled:
                continue
            player = troubled[next(numbers) % len(troubled)]
            steps -= len(self._odd)
            choices, difference = self._best_partners(index, player, tabu, time)
            if choices:
                other = choices[next(numbers) % len(choices)]
                self._exchange(index, player, other)
                self.cost += difference
                tabu[index, player] = tabu[index, other] = time + TABU + next(numbers) % TABU
                if self.cost < self.best_cost:
                    self.best, self.best_cost = _copy(self.rounds), self.cost

    def _best_partners(
        self, index: int, player: int, tabu: Mapping[tuple[int, int], int], time: int
    ) -> tuple[list[int], int]:
        """With whom an exchange costs least, among those who may move now, and what it adds to the repeated meetings; one that
        gives a new best always may."""
        least = len(self._odd) ** 2
        partners: list[int] = []
        is_tabu = tabu.get((index, player), 0) > time
        for other, difference in self._exchanges(index, player):
            if difference <= least and (
                not (is_tabu or tabu.get((index, other), 0) > time) or self.cost + difference < self.best_cost
            ):
                if difference < least:
                    least, partners = difference, []
                partners.append(other)
        return partners, least

    def _exchanges(self, index: int, player: int) -> Iterator[tuple[int, int]]:
        """With whom a player can exchange, and what that adds to the repeated meetings: those at other tables, as long as odd
        tables are shared as evenly afterwards."""
        at, is_odd, masks = self._at[index], self._is_odd[index], self._masks[index]
        odd, met, again = self._odd, self._met, self._again
        table, own = at[player], met[player]
        home, count = masks[table], odd[player]
        others_at_home = home ^ 1 << player
        leaves = (again[player] & home).bit_count()
        for other, table_of_other in at.items():
            if table_of_other == table:
                continue
            if is_odd[table_of_other] != is_odd[table]:
                comes, goes = (odd[other], count) if is_odd[table] else (count, odd[other])
                if comes >= goes:
                    continue
            away = masks[table_of_other]
            come = (own & (away ^ 1 << other)).bit_count() + (met[other] & others_at_home).bit_count()
            yield other, come - leaves - (again[other] & away).bit_count()

    def _troubled(self, index: int) -> list[int]:
        """Players who meet somebody again in this round."""
        masks = self._masks[index]
        return [player for player, table in self._at[index].items() if self._again[player] & masks[table]]

    def _meet(self, one: int, other: int, change: int) -> None:
        times = self._meetings[one][other] + change
        self._meetings[one][other] = self._meetings[other][one] = times
        for player, partner in ((one, other), (other, one)):
            bit = 1 << partner
            self._met[player] = self._met[player] | bit if times > 0 else self._met[player] & ~bit
            self._again[player] = self._again[player] | bit if times > 1 else self._again[player] & ~bit

    def _repeats(self) -> int:
        return sum(max(0, times - 1) for row in self._meetings for times in row) // 2

    def _exchange(self, index: int, one: int, other: int) -> None:
        tables, at, masks = self.rounds[index], self._at[index], self._masks[index]
        home, away = tables[at[one]], tables[at[other]]
        for player, partner, goes, leaves in ((one, other, away, home), (other, one, home, away)):
            for each in leaves:
                if each != player:
                    self._meet(player, each, -1)
            for each in goes:
                if each != partner:
                    self._meet(player, each, 1)
        change = self._is_odd[index][at[other]] - self._is_odd[index][at[one]]
        self._odd[one] += change
        self._odd[other] -= change
        home[home.index(one)], away[away.index(other)] = other, one
        both = 1 << one | 1 << other
        masks[at[one]] ^= both
        masks[at[other]] ^= both
        at[one], at[other] = at[other], at[one]


def _copy(rounds: Rounds) -> Rounds:
    return [[list(table) for table in tables] for tables in rounds]
