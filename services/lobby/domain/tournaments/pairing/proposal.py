"""A proposal for a round: tables with titles and seats, what they cost, and what would come next."""

from __future__ import annotations

import hashlib

import msgspec

from services.lobby.domain.tournaments.pairing.costs import Cost


class ProposedTable(msgspec.Struct, frozen=True):
    """A table, players in seat order. Its title is empty if the event names none."""

    number: int
    seats: tuple[str, ...]
    title: str
    cost: Cost


class Alternative(msgspec.Struct, frozen=True):
    """The cheapest other arrangement that was seen: these two players exchanged, at this cost of all tables."""

    exchanged: tuple[str, str]
    cost: Cost


class Override(msgspec.Struct, frozen=True):
    """Who changed a proposal and why, and the digest of the proposal that was changed."""

    author: str
    reason: str
    proposal_digest: str


class Proposal(msgspec.Struct, frozen=True):
    """The tables of a round.

    `problem_digest` identifies the problem, which holds the seed; an equal problem gives an equal proposal. `plan_kept` is
    false if repeats in this round or a later one could not be ruled out."""

    round: int
    tables: tuple[ProposedTable, ...]
    byes: tuple[str, ...]
    cost: Cost
    seed: int
    problem_digest: str
    plan_kept: bool = True
    alternative: Alternative | None = None
    override: Override | None = None


def proposal_digest(proposal: Proposal) -> str:
    """SHA-256 of the proposal's canonical JSON, in hexadecimal."""
    return hashlib.sha256(msgspec.json.encode(proposal, order="deterministic")).hexdigest()
