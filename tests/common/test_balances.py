"""The digest by which rules and ledger compare balances."""

from __future__ import annotations

from hypothesis import given, strategies as st

from services.common.balances import STORED_DIGEST_BYTES, Balances

NAMES = st.sampled_from(["ann", "bob", "BH", "bank", "a\n", ""])
AMOUNTS = st.integers(-3, 3)
BALANCES = st.builds(
    Balances,
    st.dictionaries(NAMES, AMOUNTS),
    st.dictionaries(st.tuples(NAMES, NAMES), AMOUNTS),
    st.dictionaries(NAMES, AMOUNTS),
)


def entries(balances: Balances) -> tuple[dict[object, int], ...]:
    """What is not 0."""
    parts = (balances.cash, balances.shares, balances.debts)
    return tuple({key: amount for key, amount in part.items() if amount} for part in parts)


@given(BALANCES, BALANCES)
def test_equal_digests_are_equal_balances(one: Balances, other: Balances) -> None:
    """Whatever differs by a unit has another digest; order and entries of 0 make no difference."""
    assert (one.digest() == other.digest()) is (entries(one) == entries(other))
    turned = Balances(
        dict(reversed(list(one.cash.items()))),
        {("nobody", "BH"): 0, **one.shares},
        dict(reversed(list(one.debts.items()))),
    )
    assert turned.digest() == one.digest()


@given(BALANCES, BALANCES)
def test_stored_digests_are_of_equal_balances_alone(one: Balances, other: Balances) -> None:
    """As statuses carry them now, and whole as those of version 2 do; a piece shorter than either says nothing."""
    for stored in (other.stored_digest(), other.digest()):
        assert one.agree_with(stored) is (entries(one) == entries(other))
    assert not one.agree_with(one.digest()[: STORED_DIGEST_BYTES - 1])
