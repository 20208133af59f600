"""The jars of Apache Kafka's server and the Java that runs them."""

from __future__ import annotations

import fcntl
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from devtools.brokers.missing import WayClosed

JARS_VARIABLE = "SIGNALBOX_KAFKA_JARS"
KAFKA_VERSION = "4.1.1"
JAVA_VERSION = 17
REPOSITORY = Path(__file__).resolve().parents[2]
POM = REPOSITORY / "deploy" / "kafka" / "pom.xml"
RESOLVE_SECONDS = 600.0


def find_java(environment: Mapping[str, str]) -> str:
    """The Java to use: that of JAVA_HOME or the one on the path. Raises `WayClosed`."""
    home = environment.get("JAVA_HOME")
    java = str(Path(home) / "bin" / "java") if home else shutil.which("java", path=environment.get("PATH"))
    if java is None:
        raise WayClosed(
            f"no java on the path (Java {JAVA_VERSION} or newer; on Debian: default-jre-headless)"
        )
    try:
        said = subprocess.run(
            [java, "-version"], capture_output=True, text=True, timeout=60, check=True
        ).stderr
    except (OSError, subprocess.SubprocessError) as error:
        raise WayClosed(f"{java} -version fails: {error}") from error
    found = re.search(r'version "(\d+)', said)
    if found is None or int(found[1]) < JAVA_VERSION:
        raise WayClosed(f"{java} is {said.splitlines()[0]}, needed is {JAVA_VERSION} or newer")
    return java


def find_jars(environment: Mapping[str, str]) -> Path:
    """The folder with the jars; those of the repository are fetched by Maven the first time. Raises `WayClosed`."""
    chosen = environment.get(JARS_VARIABLE)
    folder = Path(chosen) if chosen else REPOSITORY / ".kafka" / KAFKA_VERSION
    if _is_complete(folder):
        return folder
    if chosen:
        raise WayClosed(f"{JARS_VARIABLE}: no server of Kafka {KAFKA_VERSION} in {folder}")
    if not POM.is_file():
        raise WayClosed(f"no jars of Kafka: {JARS_VARIABLE} is not set and {POM} does not exist")
    _resolve(folder, environment)
    return folder


def _is_complete(folder: Path) -> bool:
    return (folder / f"kafka_2.13-{KAFKA_VERSION}.jar").is_file()


def _resolve(folder: Path, environment: Mapping[str, str]) -> None:
    maven = shutil.which("mvn", path=environment.get("PATH"))
    if maven is None:
        raise WayClosed(
            f"no jars of Kafka in {folder} and no mvn on the path to fetch them (on Debian: maven)"
        )
    folder.parent.mkdir(parents=True, exist_ok=True)
    with (folder.parent / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if _is_complete(folder):
            return
        half = folder.with_suffix(".half")
        shutil.rmtree(half, ignore_errors=True)
        command = [maven, "-q", "-B", "-f", str(POM), "dependency:copy-dependencies", f"-Djars={half}"]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=RESOLVE_SECONDS, env=dict(environment)
            )
        except subprocess.SubprocessError as error:
            raise WayClosed(f"Maven cannot fetch the jars of Kafka: {error}") from error
        if done.returncode != 0:
            raise WayClosed(
                f"Maven cannot fetch the jars of Kafka: {(done.stdout or done.stderr).strip()[:500]}"
            )
        shutil.rmtree(folder, ignore_errors=True)
        half.rename(folder)
