"""Settings from the environment."""

from pathlib import Path

import pytest

from services.common.settings.accounts import QuotaSettings
from services.common.settings.service import (
    SECONDS_RANGES,
    WHOLE_NUMBER_RANGES,
    Settings,
    SettingsError,
    load_settings,
)


def test_nothing_set_means_defaults() -> None:
    """Without variables every setting has its default; other programs' variables do not matter."""
    assert load_settings({"PATH": "/bin", "LOBBY_PORT": "1"}) == Settings()


def test_values_are_typed() -> None:
    """Ports become numbers, files paths, times fractions."""
    settings = load_settings(
        {
            "SIGNALBOX_LOBBY_PORT": "0",
            "SIGNALBOX_DATABASE": "/var/lib/signalbox/games.db",
            "SIGNALBOX_STOP_GRACE_SECONDS": "0.5",
            "SIGNALBOX_LOG_LEVEL": "debug",
            "SIGNALBOX_ROUTING_ADDRESSES": "10.0.0.1:8403, routes.example:8403",
            "SIGNALBOX_SIGN_IN_FREE_ATTEMPTS": "7",
            "SIGNALBOX_SIGN_IN_DELAY_SECONDS_MAX": "0.5",
            "SIGNALBOX_QUOTA_STORED_BYTES": "1073741824",
        }
    )
    assert (settings.sign_in.free_attempts, settings.sign_in.delay_seconds_max) == (7, 0.5)
    assert settings.quota == QuotaSettings(stored_bytes=2**30)
    assert settings.routing_addresses == ("10.0.0.1:8403", "routes.example:8403")
    assert settings.lobby_port == 0
    assert settings.database == Path("/var/lib/signalbox/games.db")
    assert settings.stop_grace_seconds == 0.5
    assert settings.log_level == "debug"


@pytest.mark.parametrize(
    ("variable", "text", "complaint"),
    [
        ("SIGNALBOX_LOBBY_PORT", "70000", "'70000' is not a whole number from 0 to 65535"),
        ("SIGNALBOX_LOBBY_PORT", "eighty", "'eighty' is not a whole number from 0 to 65535"),
        ("SIGNALBOX_LOBBY_PORT", "", "'' is not a whole number"),
        ("SIGNALBOX_DEFAULT_DEADLINE_SECONDS", "nan", "'nan' is not a number of seconds"),
        ("SIGNALBOX_DEFAULT_DEADLINE_SECONDS", "-1", "'-1' is not a number of seconds"),
        ("SIGNALBOX_LOG_LEVEL", "loud", "'loud' is not one of debug, info, warning, error"),
        ("SIGNALBOX_DATABASE", "", "is empty"),
        ("SIGNALBOX_ROUTING_WORKERS", "-1", "'-1' is not a whole number from 0 to 1000"),
        ("SIGNALBOX_SIGN_IN_HASHING_QUEUE", "0", "'0' is not a whole number from 1 to 1000000"),
        ("SIGNALBOX_SIGN_IN_HASH_PASSES", "0", "'0' is not a whole number from 1 to 100"),
        ("SIGNALBOX_SIGN_IN_FORGET_SECONDS", "long", "'long' is not a number of seconds"),
        ("SIGNALBOX_QUOTA_SEATS", "many", "'many' is not a whole number from 1 to 1000000"),
        ("SIGNALBOX_ROUTING_ADDRESSES", "", "is empty"),
        ("SIGNALBOX_ROUTING_ADDRESSES", "a:1,b", "'b' is not host:port"),
        ("SIGNALBOX_ROUTING_ADDRESSES", "a:70000", "'a:70000' is not host:port"),
        (
            "SIGNALBOX_LIMIT_CALLER_BYTES",
            "999999999",
            "999999999 must not be more than SIGNALBOX_LIMIT_BYTES_IN_FLIGHT, 67108864",
        ),
    ],
)
def test_malformed_values_are_named(variable: str, text: str, complaint: str) -> None:
    """The message names the variable, the value and what would be right."""
    with pytest.raises(SettingsError) as caught:
        load_settings({variable: text})
    assert str(caught.value).startswith(f"{variable}: ")
    assert complaint in str(caught.value)


def test_every_number_has_a_range_that_holds_its_default() -> None:
    """No numeric setting goes unchecked."""
    for name, value in ((name, getattr(Settings(), name)) for name in Settings.__struct_fields__):
        if isinstance(value, int) and not isinstance(value, bool):
            least, most = WHOLE_NUMBER_RANGES[name]
            assert least <= value <= most
        elif isinstance(value, float):
            low, high = SECONDS_RANGES[name]
            assert low <= value <= high
