"""Which tokens are refused after which acts."""

from __future__ import annotations

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, strategies as st

from services.common.auth.revocations import NEVER_MS, Revocations
from services.common.auth.tokens import REVOKED, TOKEN_REVOKED, Principal, TokenIssuer, TokenVerifier
from services.common.clock import ManualClock
from services.common.errors import Unauthenticated
from services.common.staff.acts import BAN, END_SESSIONS, REVOKE_TOKEN, UNBAN, is_staffs, new_act, revoke
from services.gen.signalbox.lobby.v1.staff_act_pb2 import StaffAct

DAY_MS = 24 * 3600 * 1000
OPERATOR = Principal("olga", "Olga")
ANN = Principal("ann", "Ann")


class Signed:
    """Tokens of a clock, and who refuses them."""

    def __init__(self) -> None:
        self.clock = ManualClock(1_700_000_000_123)
        self.revocations = Revocations(self.clock)
        self._issuer = TokenIssuer(Ed25519PrivateKey.generate(), 90 * 24 * 3600, self.clock)
        self._verifier = TokenVerifier(self._issuer.keys, self.clock, self.revocations)

    def token(self, principal: Principal = ANN, token_id: str = "") -> str:
        """A token issued now."""
        return self._issuer.issue(principal, token_id=token_id).token

    def is_good(self, token: str) -> bool:
        """Whether the token is taken; if not, then since it was revoked."""
        try:
            self._verifier.verify(token)
        except Unauthenticated as refused:
            assert (str(refused), refused.trailing) == (REVOKED, TOKEN_REVOKED)
            return False
        return True

    def act(self, act: str, until_ms: int = 0) -> StaffAct:
        """An operator does something about Ann."""
        done = new_act(
            OPERATOR,
            "",
            self.clock,
            act,
            "why",
            player_id="ann",
            until_time_ms=until_ms,
            tokens_end_time_ms=self.clock.now_ms() + 91 * DAY_MS,
        )
        revoke(self.revocations, done)
        return done


def test_ended_sessions_are_those_from_before() -> None:
    """A token of the next millisecond is good, one of another player, a service or an operator always."""
    signed = Signed()
    before, others = signed.token(), [signed.token(Principal("bob", "Bob"))]
    others += [
        signed.token(Principal("ann", "ann", "service")),
        signed.token(Principal("ann", "a", "operator")),
    ]
    assert signed.is_good(before)
    signed.clock.advance(1)
    signed.act(END_SESSIONS)
    assert not signed.is_good(before)
    assert signed.is_good(signed.token())
    assert all(map(signed.is_good, others))


def test_a_ban_lasts_until_its_end() -> None:
    """Also for tokens that a replica issued before it knew of the ban; those from before stay refused."""
    signed = Signed()
    before = signed.token()
    signed.act(BAN, until_ms=signed.clock.now_ms() + DAY_MS)
    signed.clock.advance(DAY_MS - 1)
    during = signed.token()
    assert not signed.is_good(before) and not signed.is_good(during)
    signed.clock.advance(1)
    assert signed.is_good(signed.token())
    assert not signed.is_good(before) and not signed.is_good(during)


def test_a_ban_for_good_ends_with_its_lifting() -> None:
    """What was issued before stays refused, and ending sessions does not shorten the ban."""
    signed = Signed()
    before = signed.token()
    signed.act(BAN)
    signed.act(END_SESSIONS)
    signed.clock.advance(50 * DAY_MS)
    assert not signed.is_good(signed.token())
    signed.act(UNBAN)
    assert signed.is_good(signed.token()) and not signed.is_good(before)


def test_one_token_is_taken_back() -> None:
    """By its id: the player's others are good, and it is forgotten once it has ended."""
    signed = Signed()
    mine, other = signed.token(token_id="t1"), signed.token(token_id="t2")
    seen: list[str] = []
    signed.revocations.listen(seen.append)
    act = new_act(
        ANN,
        "t1",
        signed.clock,
        REVOKE_TOKEN,
        "",
        player_id="ann",
        token_id="t1",
        tokens_end_time_ms=signed.clock.now_ms() + DAY_MS,
    )
    assert not is_staffs(act)
    revoke(signed.revocations, act)
    assert not signed.is_good(mine) and signed.is_good(other) and signed.is_good(signed.token())
    assert (seen, signed.revocations.token_count, signed.revocations.player_count) == (["ann"], 1, 0)
    signed.clock.advance(DAY_MS)
    signed.act(END_SESSIONS)
    assert signed.revocations.token_count == 0
    revoke(signed.revocations, act)
    assert signed.revocations.token_count == 0


def test_what_has_ended_by_itself_is_forgotten() -> None:
    """So memory is bounded by the acts of the last months."""
    signed = Signed()
    signed.act(END_SESSIONS)
    signed.clock.advance(91 * DAY_MS)
    signed.revocations.refuse_before("bob", signed.clock.now_ms(), signed.clock.now_ms() + 1)
    assert signed.revocations.player_count == 1


def test_listeners_are_called_when_it_is_in_force() -> None:
    """So streams that check their token again see it refused."""
    signed = Signed()
    token, seen = signed.token(), []
    signed.clock.advance(1)
    signed.revocations.listen(lambda player_id: seen.append((player_id, signed.is_good(token))))
    signed.act(END_SESSIONS)
    assert seen == [("ann", False)]


@given(st.lists(st.tuples(st.sampled_from([BAN, UNBAN, END_SESSIONS]), st.integers(0, 50)), max_size=8))
def test_no_act_brings_an_older_token_back(acts: list[tuple[str, int]]) -> None:
    """Whatever operators do, what was refused once stays refused."""
    signed = Signed()
    token, was_good = signed.token(), True
    for act, days in acts:
        signed.clock.advance(1)
        signed.act(act, signed.clock.now_ms() + days * 3_600_000 + 1 if act == BAN and days else 0)
        is_good = signed.is_good(token)
        assert was_good or not is_good
        was_good = is_good


def test_never_is_later_than_all_ends() -> None:
    """A ban for good is an end that no token can reach."""
    assert NEVER_MS > 253_402_214_400_000


@pytest.mark.parametrize("request_id", ["", "r1"])
def test_an_act_with_a_request_id_is_the_same_again(request_id: str) -> None:
    """One without it is another one each time; another operator's is another one in any case."""
    clock = ManualClock()
    first, again = (new_act(OPERATOR, request_id, clock, BAN, "why") for _ in range(2))
    assert (first.act_id == again.act_id) == bool(request_id)
    assert new_act(ANN, request_id, clock, BAN, "why").act_id != first.act_id
