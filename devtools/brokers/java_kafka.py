"""Servers of Kafka run by the Java of this machine from jars that Maven fetched."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from devtools.brokers.jars import find_jars, find_java
from devtools.brokers.kafka import STORAGE_TOOL
from services.host.children import Child, ChildFailed, Program
from services.host.sites import HERE, Site

# Quick to start rather than fast in the long run: no compiler for the hottest code, no threads for the collector.
JAVA_OPTIONS = (
    "-Xms96m",
    "-Xmx384m",
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "-XX:+ExitOnOutOfMemoryError",
)
# As an operator would run it, for measurements.
LASTING_OPTIONS = ("-Xms512m", "-Xmx1g", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError")
FORMAT_SECONDS = 60.0
LOGGING = """rootLogger.level=warn
appender.out.type=Console
appender.out.name=OUT
appender.out.layout.type=PatternLayout
appender.out.layout.pattern=%d %p %m (%c{1})%n%throwable{5}
rootLogger.appenderRef.out.ref=OUT
"""


class JavaKafka:
    """See `Launcher`."""

    def __init__(self, java: str, jars: Path, options: Sequence[str] = JAVA_OPTIONS) -> None:
        self.java = java
        self.jars = jars
        self.options = options

    @classmethod
    def found(cls, environment: Mapping[str, str], is_lasting: bool = False) -> JavaKafka:
        """Java and jars of this machine. Raises `WayClosed` naming what is missing."""
        options = LASTING_OPTIONS if is_lasting else JAVA_OPTIONS
        return cls(find_java(environment), find_jars(environment), options)

    def with_options(self, *options: str) -> JavaKafka:
        """The same with more options of Java."""
        return JavaKafka(self.java, self.jars, (*self.options, *options))

    def format(self, arguments: Sequence[str]) -> None:
        """See `Launcher`."""
        command = [*self._command(), STORAGE_TOOL, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, timeout=FORMAT_SECONDS)
        if done.returncode != 0:
            raise ChildFailed(f"Kafka's storage tool fails: {(done.stdout + done.stderr).strip()[-500:]}")

    def server(self, name: str, properties: Path, log: Path, place: Site = HERE) -> Program:
        """See `Launcher`."""
        logging = properties.with_name("log4j2.properties")
        logging.write_text(LOGGING)
        options = (
            f"-Dlog4j2.configurationFile={logging}",
            f"-XX:ErrorFile={log.with_name('java-error.log')}",
        )
        return Child(name, place.command([*self._command(*options), "kafka.Kafka", str(properties)]), log)

    def _command(self, *options: str) -> list[str]:
        return [self.java, *self.options, *options, "-cp", f"{self.jars}/*"]
