"""A network that does not carry everything: who hears whom no longer, for each kind."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from tests.faults.network import OUTSIDE, Network
from tests.faults.plan import Disturbance, Kind

Cut = tuple[str, str]
"""What the first sends to the second is lost."""
REDIS = "redis"


def cuts(kind: Kind, broker: str, brokers: Sequence[str], rules: str, others: Sequence[str]) -> list[Cut]:
    """What is cut around a broker or a replica of rules; `others`: all other places."""
    peers = [each for each in brokers if each != broker]
    ways: Mapping[str, list[Cut]] = {
        "cut off broker": both(broker, [*peers, rules, *others]),
        "cut broker from brokers": both(broker, peers),
        "cut off rules": both(rules, brokers),
        "cut answers to rules": [(each, rules) for each in brokers],
        "cut rules from broker": both(rules, [broker]),
        "cut rules from redis": both(rules, [REDIS]),
    }
    return ways[kind]


def both(one: str, each: Sequence[str]) -> list[Cut]:
    """Neither hears the other any more: by turns what `one` sends, and what it would get."""
    return [cut for other in each for cut in ((one, other), (other, one))]


def one_way(one: str, each: Sequence[str], is_deaf: bool) -> list[Cut]:
    """Nothing that `one` sends reaches the others, or with `is_deaf` nothing that they send reaches it."""
    return both(one, each)[is_deaf::2]


def part(network: Network, disturbance: Disturbance) -> None:
    """Cut, wait, mend."""
    brokers = sorted(name for name in network.places if name.startswith("broker-"))
    replicas = sorted(name for name in network.places if name.startswith("rules-"))
    broker = brokers[disturbance.target % len(brokers)]
    rules = replicas[disturbance.target % len(replicas)]
    others = [OUTSIDE, REDIS, *(each for each in replicas if each != rules)]
    chosen = cuts(disturbance.kind, broker, brokers, rules, others)
    with cut_for(network, chosen):
        time.sleep(disturbance.seconds)


@contextmanager
def cut_for(network: Network, chosen: Sequence[Cut]) -> Iterator[None]:
    """Cut these, and mend them at the end."""
    for source, target in chosen:
        network.cut(source, target)
    try:
        yield
    finally:
        for source, target in chosen:
            network.mend(source, target)
