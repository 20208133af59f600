"""The files that clients of Kafka read when they are made and never again: authorities, certificates, passwords."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from services.common.kafka.settings import FILES, KafkaSettings


class OutdatedClients:
    """Finds clients that were made before their files were replaced, as an authority that is renewed is.

    A file that is replaced while Kafka can be reached is no reason to give clients up: their connections stay open, and new
    ones succeed as long as the brokers' old certificates are good. Once Kafka was away and then lets clients in that know the new
    files, those with the old ones may never come in again."""

    def __init__(self, kafka: KafkaSettings) -> None:
        """The clients of this process are made now."""
        paths = {name: getattr(kafka, name) for name in FILES}
        self._paths: dict[str, Path] = {name: path for name, path in paths.items() if path is not None}
        self._begun_with = dict(self._contents())
        self._was_away = False
        self.problem = ""
        """Why the clients have to be made anew; empty while they need not."""

    def note(self, is_answered: bool) -> None:
        """Kafka was asked just now, by clients made after it last did not answer; whether it answered."""
        replaced = [name for name, content in self._contents() if content != self._begun_with[name]]
        if not is_answered:
            self._was_away = True
        elif not replaced:
            self._was_away = False
        elif self._was_away:
            self.problem = f"clients of Kafka know {', '.join(replaced)} as before the replacement"

    def _contents(self) -> Iterator[tuple[str, bytes]]:
        """By setting; nothing for a file that cannot be read."""
        for name, path in self._paths.items():
            try:
                yield name, path.read_bytes()
            except OSError:
                yield name, b""
