"""What the ledger makes of a rules that does not answer as it should."""

from __future__ import annotations

import grpc
import pytest

from services.common.token_keys import SigningKeyError
from services.common.variables import SettingsError
from services.ledger.adapters.rules_events import RulesEvents, SourceAway


@pytest.mark.parametrize("problem", [SettingsError("file x: is not there"), SigningKeyError("x: no key")])
def test_without_a_token_rules_is_away(problem: Exception) -> None:
    """A token that cannot be read just now is waited for, however it came to that; no game is to blame."""

    def no_token() -> str:
        raise problem

    with grpc.insecure_channel("127.0.0.1:1") as channel:
        source = RulesEvents(channel, no_token)
        with pytest.raises(SourceAway, match=f"no token for rules: {problem}"):
            source.events("g", 0)
