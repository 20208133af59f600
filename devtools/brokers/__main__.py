"""`python -m devtools.brokers COMMAND ...`: runs a command with a temporary Kafka and Redis in its settings."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from devtools.brokers.missing import BrokersMissing
from devtools.brokers.opening import Brokers, brokers
from services.common.settings.service import PREFIX

MISSING = 2
# Fewer than the default, whose topics take a small machine long to create.
PARTITIONS = "4"


def settings_of(found: Brokers) -> dict[str, str]:
    """The variables by which services find these brokers."""
    return {
        f"{PREFIX}KAFKA_SERVERS": ",".join(found.kafka.addresses),
        f"{PREFIX}KAFKA_PARTITIONS": PARTITIONS,
        f"{PREFIX}REDIS_ADDRESS": found.redis.address,
    }


def run(command: Sequence[str], environment: Mapping[str, str]) -> int:
    """The exit code of the command; Ctrl-C reaches it too, and it is waited for."""
    process = subprocess.Popen(command, env=environment)
    while True:
        with suppress(KeyboardInterrupt):
            return process.wait()


def main(command: Sequence[str]) -> int:
    """Run the command beside brokers; without one print the variables and keep the brokers until Ctrl-C."""
    with tempfile.TemporaryDirectory(prefix="signalbox-brokers-") as folder:
        try:
            with brokers(Path(folder)) as found:
                settings = settings_of(found)
                if command:
                    return run(command, {**os.environ, **settings})
                for name, value in settings.items():
                    sys.stdout.write(f"export {name}={value}\n")
                sys.stdout.flush()
                return run(("sleep", "infinity"), os.environ)
        except BrokersMissing as missing:
            sys.stderr.write(f"{missing}\n")
            return MISSING


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
