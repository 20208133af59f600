"""Recomputes the standings of an exported event from its CSV files. Uses nothing of the product; run it on a folder:

python recompute.py FOLDER    prints rank, player, points and tables, and exits with 1 if standings.csv has others
"""

from __future__ import annotations

import csv
import hashlib
import io
import sys
from pathlib import Path
from typing import NamedTuple

Row = dict[str, str]
MILLION = 1_000_000


class Game(NamedTuple):
    """One player at one table."""

    player: str
    order: tuple[int, str]
    title: str
    points: int
    rank: int
    tied: int
    percent: int
    share: int
    lead: int
    late: int
    clock: int
    others: list[str]
    beaten: list[str]


def rows(text: str) -> list[Row]:
    return list(csv.DictReader(io.StringIO(text)))


class Event:
    def __init__(self, files: dict[str, str]) -> None:
        self.policy = {row["setting"]: row["value"] for row in rows(files["policy.csv"])}
        self.entrants = {row["player"]: row for row in rows(files["players.csv"])}
        self.tables: dict[str, list[Row]] = {}
        for row in rows(files["results.csv"]):
            self.tables.setdefault(row["table"], []).append(row)
        self.games: list[Game] = []
        self.instead: dict[str, int] = {}
        for table in self.tables.values():
            self.read_table(sorted(table, key=lambda row: int(row["seat"])))
        names = [*self.entrants, *self.instead, *(game.player for game in self.games)]
        self.players = sorted(set(names))
        self.totals = {player: self.total(player) for player in self.players}

    def setting(self, name: str, default: int = 0) -> int:
        return int(self.policy.get(name, default))

    def has_comparison(self, own: list[Row]) -> bool:
        return any(
            table[0]["table"] != own[0]["table"]
            and table[0]["ending"] != "awarded"
            and all(table[0][key] == own[0][key] for key in ("round", "title"))
            and len(table) == len(own)
            for table in self.tables.values()
        )

    def read_table(self, seats: list[Row]) -> None:
        is_duplicate = self.policy["system.type"] == "duplicate" and seats[0]["ending"] != "awarded"
        if is_duplicate and not self.has_comparison(seats):
            bye = self.setting("bye_points")
            for seat in seats:
                for player, score in self.credited(seat, 0 if self.is_empty(seat) else bye, bye):
                    self.instead[player] = self.instead.get(player, 0) + score
            return
        if seats[0]["ending"] == "awarded":
            seats = [
                {**seat, "worth": seat["awarded"], "bankrupt_order": "0", "is_no_show": "0"} for seat in seats
            ]
        else:
            seats = [{**seat, "worth": str(self.net(seat))} for seat in seats]
        worths = [int(seat["worth"]) for seat in seats]
        positive = [0 if self.is_behind(seat) else max(0, int(seat["worth"])) for seat in seats]
        keys = [self.strength(seat) for seat in seats]
        ranks = [sum(other > key for other in keys) + 1 for key in keys]
        scores = self.scores(seats, worths, positive)
        part = [
            worth * MILLION // sum(positive) if sum(positive) else MILLION // len(seats) for worth in positive
        ]
        ratio = [worth * MILLION // max(positive) if max(positive) else MILLION for worth in positive]
        weight = self.setting(f"title_weights.{seats[0]['title']}", MILLION)
        for i, seat in enumerate(seats):
            gone = self.is_empty(seat)
            own = 0 if gone else part[i]
            for player, score in self.credited(seat, scores[i], sum(scores) // len(scores)):
                self.games.append(
                    Game(
                        player=player,
                        order=(int(seat["round"]), seat["table"]),
                        title=seat["title"],
                        points=score * weight // MILLION,
                        rank=ranks[i],
                        tied=ranks.count(ranks[i]),
                        percent=0 if gone else ratio[i],
                        share=own,
                        lead=own - max(part[j] for j in range(len(seats)) if j != i),
                        late=int(seat["seat"]) * MILLION // len(seats),
                        clock=int(seat["clock_ms"]),
                        others=[seats[j]["player"] for j in range(len(seats)) if j != i],
                        beaten=[
                            seats[j]["player"] for j in range(len(seats)) if ranks[j] > ranks[i] and not gone
                        ],
                    )
                )

    @staticmethod
    def net(seat: Row) -> int:
        return int(seat["worth"]) - int(seat["overdue_money"])

    @staticmethod
    def is_empty(seat: Row) -> bool:
        return seat["is_no_show"] == "1" and not seat["substitute"]

    def is_behind(self, seat: Row) -> bool:
        return self.strength(seat) < (1,)

    def strength(self, seat: Row) -> tuple[int, int]:
        if self.is_empty(seat):
            return (-1, 0)
        order = int(seat["bankrupt_order"])
        if order and self.setting("modifiers.bankrupt_last", 1):
            return (0, order)
        return (1, int(seat["worth"]))

    def scores(self, seats: list[Row], worths: list[int], positive: list[int]) -> list[int]:
        if seats[0]["ending"] == "awarded":
            return [int(seat["awarded"]) for seat in seats]
        kind = self.policy["system.type"]
        strengths = [self.strength(seat) for seat in seats]
        if self.setting("modifiers.virtual_fourth") and len(seats) == 3:
            mean = sum(max(0, worth) for worth in worths) // 3
            strengths.append((1, mean))
            positive = [*positive, mean]
        ranks = [sum(other > own for other in strengths) + 1 for own in strengths]
        tied = [ranks.count(rank) for rank in ranks]
        ratio = [worth * MILLION // max(positive) if max(positive) else MILLION for worth in positive]
        if kind == "places":
            points = self.place_list(len(strengths))
            found = [
                sum(points[rank - 1 : rank - 1 + many]) // many
                for rank, many in zip(ranks, tied, strict=True)
            ]
        elif kind == "share":
            whole = sum(positive)
            found = [worth * MILLION // whole if whole else MILLION // len(positive) for worth in positive]
        elif kind == "percent":
            found = ratio
        elif kind == "margin":
            bonus = min(self.setting("system.cap"), 2 * MILLION - sorted(ratio)[-2])
            found = [bonus if rank == 1 else own for rank, own in zip(ranks, ratio, strict=True)]
        elif kind == "wins":
            found = [MILLION // many if rank == 1 else 0 for rank, many in zip(ranks, tied, strict=True)]
        else:
            found = [self.against_same_seat(seat) for seat in seats]
        return [
            0 if self.is_empty(seat) else score
            for seat, score in zip(seats, found[: len(seats)], strict=True)
        ]

    def place_list(self, size: int) -> list[int]:
        def row(of: int) -> list[int]:
            names = [f"system.lists.{of}.{place}" for place in range(1, 20)]
            return [int(self.policy[name]) for name in names if name in self.policy]

        if row(size):
            return row(size)
        four = row(4)
        if self.policy["system.others"] == "first":
            return (four + [0] * size)[:size]
        found = []
        for place in range(size):
            position, rest = divmod(place * 3, size - 1)
            upper = four[min(position + 1, 3)]
            found.append((four[position] * (size - 1 - rest) + upper * rest) // (size - 1))
        return found

    def against_same_seat(self, seat: Row) -> int:
        points = 0
        own = self.tables[seat["table"]]
        for table in self.tables.values():
            if len(table) != len(own) or table[0]["title"] != own[0]["title"]:
                continue
            for other in table:
                same = other["round"] == seat["round"] and other["seat"] == seat["seat"]
                if same and other["table"] != seat["table"] and other["ending"] != "awarded":
                    mine, theirs = int(seat["worth"]), self.net(other)
                    points += MILLION if mine > theirs else MILLION // 2 if mine == theirs else 0
        return points

    def credited(self, seat: Row, score: int, mean: int) -> list[tuple[str, int]]:
        credit = self.policy.get("credit", "original")
        is_missing = seat["is_no_show"] == "1"
        if not seat["substitute"]:
            return [(seat["player"], score)]
        one = f"{seat['substitute']}:{seat['substitute_turns']}"
        taken = [each.rsplit(":", 1) for each in (seat["all_substitutes"] or one).split()]
        played = sum(int(turns) for _, turns in taken)
        whole = max(1, played if credit == "substitute" else int(seat["turns"]))
        moved = [(name, score * int(turns) // whole) for name, turns in taken]
        if credit == "substitute":
            rest = score - sum(part for _, part in moved[:-1])
            return [*moved[:-1], (moved[-1][0], rest)]
        if credit == "split":
            return [(seat["player"], 0 if is_missing else score - sum(part for _, part in moved)), *moved]
        return [(seat["player"], 0 if is_missing else mean if credit == "average" else score)]

    def of(self, player: str) -> list[Game]:
        return [game for game in self.games if game.player == player]

    def total(self, player: str) -> int:
        best, per_title = self.setting("best_of"), self.setting("per_title_max")
        taken: list[Game] = []
        for game in sorted(self.of(player), key=lambda game: (-game.points, game.order)):
            same = [other for other in taken if other.title == game.title]
            if (not best or len(taken) < best) and (not per_title or len(same) < per_title):
                taken.append(game)
        entrant = self.entrants.get(player, {"byes": "0", "penalty_points": "0"})
        extra = int(entrant["byes"]) * self.setting("bye_points") - int(entrant["penalty_points"])
        late = sum(
            int(seat["overdue_points"])
            for seats in self.tables.values()
            for seat in seats
            if seat["player"] == player and seat["ending"] != "awarded"
        )
        return sum(game.points for game in taken) + self.instead.get(player, 0) + extra - late

    def value(self, name: str, player: str, tied: list[str]) -> int:
        games = self.of(player)

        def mean(key: str) -> int:
            return sum(int(getattr(game, key)) for game in games) // len(games) if games else 0

        if name == "points":
            return self.totals[player]
        if name in ("wins", "seconds"):
            wanted = 1 if name == "wins" else 2
            return sum(MILLION // game.tied for game in games if game.rank == wanted)
        if name in ("mean_percent", "mean_share", "later_seats"):
            return mean({"mean_percent": "percent", "mean_share": "share", "later_seats": "late"}[name])
        if name == "opponents_points":
            found = sorted(self.totals[other] for game in games for other in game.others)
            return sum(found[1:])
        if name == "head_to_head":
            won = [other for game in games for other in game.beaten if other in tied]
            lost = [
                1
                for rival in tied
                if rival != player
                for game in self.of(rival)
                for other in game.beaten
                if other == player
            ]
            return len([other for other in won if other != player]) - len(lost)
        if name == "margin":
            return sum(game.lead for game in games)
        if name == "clock":
            return -sum(game.clock for game in games)
        text = f"signalbox tie-break 1|{self.setting('seed')}|{player}"
        return -(int(hashlib.sha256(text.encode()).hexdigest()[:16], 16) // 2048)

    def standings(self) -> list[tuple[int, str, int, int]]:
        names = [self.policy[f"criteria.{i}"] for i in range(1, 20) if f"criteria.{i}" in self.policy]
        groups = [self.players]
        for name in [name for name in names if name != "lot"] + ["lot"]:
            following = []
            for group in groups:
                values = {player: self.value(name, player, group) for player in group}
                for value in sorted(set(values.values()), reverse=True):
                    following.append([player for player in group if values[player] == value])
            groups = following
        order = [player for group in groups for player in group]
        return [
            (rank, name, self.totals[name], len(self.of(name))) for rank, name in enumerate(order, start=1)
        ]


def recomputed(files: dict[str, str]) -> list[list[str]]:
    return [list(map(str, line)) for line in Event(files).standings()]


def given(files: dict[str, str]) -> list[list[str]]:
    return [
        [row["rank"], row["player"], row["points"], row["tables"]] for row in rows(files["standings.csv"])
    ]


if __name__ == "__main__":
    texts = {path.name: path.read_text(encoding="utf-8") for path in Path(sys.argv[1]).glob("*.csv")}
    for line in recomputed(texts):
        sys.stdout.write(" ".join(line) + "\n")
    sys.exit(recomputed(texts) != given(texts))
