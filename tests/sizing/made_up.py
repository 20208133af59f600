"""Measurements of a platform whose terms are made up."""

from __future__ import annotations

from services.bench.measured import Measured, Replica, Times
from services.bench.model import BrokerTerms, RulesTerms

TERMS = RulesTerms(
    idle=0.02,
    owner=2.4,
    copy=0.9,
    hop=0.6,
    transaction=0.8,
    read_owner=150.0,
    read_copy=450.0,
    written=700.0,
    memory=100e6,
    memory_game=0.5e6,
)
BROKERS = BrokerTerms(command=1.5, copy=0.25, transaction=2.5, idle=0.1)
# Commands that share a transaction, by those asked for in a second.
TOGETHER = {20.0: 1.0, 100.0: 2.0, 400.0: 10.0}
STORED = {"rules.events": 350.0, "rules.commands": 200.0}
SECONDS, GAMES = 30.0, 64


def measured(replicas: int, copies: int = 0, asked: float = 100.0, terms: RulesTerms = TERMS) -> Measured:
    """What would be found with so many replicas of rules, one lobby, and brokers that can be seen."""
    accepted = int(asked * SECONDS)
    share = min(copies or replicas, replicas) / replicas
    transactions = 1 / TOGETHER[asked]
    cpu = terms.idle * SECONDS + terms.ms(replicas, share, transactions) * accepted / 1000
    rules = [
        Replica(
            "rules",
            f"r{number}:1",
            cpu=cpu,
            idle_cores=terms.idle,
            decided=accepted / replicas,
            transactions=accepted * transactions / replicas,
            memory=terms.memory + terms.memory_game * GAMES / replicas,
            read={"rules.events": terms.read(replicas, share) * accepted},
            written={"rules.events": terms.written * accepted / replicas},
        )
        for number in range(replicas)
    ]
    lobby = Replica(
        "lobby",
        "l:1",
        cpu=1.2 * accepted / 1000,
        memory=50e6,
        read={"rules.game_statuses": 200.0 * accepted},
        written={"lobby.summaries": 100.0 * accepted},
    )
    return Measured(
        title="1824",
        games=GAMES,
        asked=asked,
        accepted=accepted,
        accepted_rate=asked,
        seconds=SECONDS,
        times=Times(5.0, 15.0, 30.0),
        copies=copies,
        replicas=[*rules, lobby],
        topics={name: size * accepted for name, size in STORED.items()},
        broker_cpu=BROKERS.idle * SECONDS + BROKERS.ms(share * replicas, transactions) * accepted / 1000,
    )


SIZES = [(count, copies, asked) for count in (1, 2, 4, 8) for copies in (0, 2) for asked in TOGETHER]
ALL = [measured(*size) for size in SIZES]
