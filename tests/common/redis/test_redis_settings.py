"""Reading the settings of Redis from the environment."""

from pathlib import Path

import pytest

from services.common.redis.settings import RedisSettings, load_redis_settings
from services.common.settings.service import SettingsError

ADDRESS = {"SIGNALBOX_REDIS_ADDRESS": "redis:6379"}


def test_nothing_named_is_no_redis() -> None:
    """A platform without variables for Redis has none."""
    assert load_redis_settings({"SIGNALBOX_LOBBY_PORT": "1"}) is None


def test_all_is_read(tmp_path: Path) -> None:
    """Every variable reaches its field, the password comes from its file."""
    files = {name: tmp_path / name for name in ("password", "ca.pem", "cert.pem", "key.pem")}
    for file in files.values():
        file.write_text("secret\n")
    settings = load_redis_settings(
        {
            **ADDRESS,
            "SIGNALBOX_REDIS_KEY_PREFIX": "blue:",
            "SIGNALBOX_REDIS_DATABASE": "3",
            "SIGNALBOX_REDIS_USER": "platform",
            "SIGNALBOX_REDIS_PASSWORD_FILE": str(files["password"]),
            "SIGNALBOX_REDIS_TLS": "on",
            "SIGNALBOX_REDIS_CA_FILE": str(files["ca.pem"]),
            "SIGNALBOX_REDIS_CERTIFICATE_FILE": str(files["cert.pem"]),
            "SIGNALBOX_REDIS_KEY_FILE": str(files["key.pem"]),
            "SIGNALBOX_REDIS_TIMEOUT_SECONDS": "0.02",
            "SIGNALBOX_REDIS_CONNECTIONS": "4",
        }
    )
    assert settings == RedisSettings(
        address="redis:6379",
        key_prefix="blue:",
        database=3,
        user="platform",
        password_file=files["password"],
        tls=True,
        ca_file=files["ca.pem"],
        certificate_file=files["cert.pem"],
        key_file=files["key.pem"],
        timeout_seconds=0.02,
        connections=4,
    )
    assert settings.password() == "secret"
    assert "secret" not in repr(settings)


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ({"SIGNALBOX_REDIS_USER": "ann"}, "SIGNALBOX_REDIS_ADDRESS: is needed"),
        ({"SIGNALBOX_REDIS_ADDRESS": "redis"}, "'redis' is not host:port"),
        ({"SIGNALBOX_REDIS_ADDRESS": "a:1,b:2"}, "names more than one Redis"),
        ({**ADDRESS, "SIGNALBOX_REDIS_TLS": "yes"}, "SIGNALBOX_REDIS_TLS: 'yes' is neither on nor off"),
        ({**ADDRESS, "SIGNALBOX_REDIS_USER": "ann"}, "SIGNALBOX_REDIS_PASSWORD_FILE: is needed"),
        ({**ADDRESS, "SIGNALBOX_REDIS_PASSWORD_FILE": "/no/file"}, "/no/file: No such file"),
        ({**ADDRESS, "SIGNALBOX_REDIS_PASSWORD_FILE": "/dev/null"}, "/dev/null: is empty"),
        ({**ADDRESS, "SIGNALBOX_REDIS_CA_FILE": "/dev/null"}, "SIGNALBOX_REDIS_TLS is off"),
        (
            {**ADDRESS, "SIGNALBOX_REDIS_TLS": "on", "SIGNALBOX_REDIS_CA_FILE": "/no/ca"},
            "SIGNALBOX_REDIS_CA_FILE: /no/ca is no file",
        ),
        ({**ADDRESS, "SIGNALBOX_REDIS_KEY_FILE": "/dev/null"}, "belong together"),
        ({**ADDRESS, "SIGNALBOX_REDIS_TIMEOUT_SECONDS": "0"}, "SIGNALBOX_REDIS_TIMEOUT_SECONDS: '0'"),
    ],
)
def test_what_is_wrong_is_named(variables: dict[str, str], message: str) -> None:
    """The error of a wrong value names the variable and what is wrong with it."""
    with pytest.raises(SettingsError, match=message):
        load_redis_settings(variables)
