"""Where brokers come from: each way in its order, and what is said when none is open."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from devtools.brokers import opening
from devtools.brokers.class_archive import edition_of, with_class_archive
from devtools.brokers.jars import JARS_VARIABLE, KAFKA_VERSION, POM, REPOSITORY, find_jars, find_java
from devtools.brokers.java_kafka import JavaKafka
from devtools.brokers.missing import BrokersMissing, WayClosed
from devtools.brokers.opening import KAFKA_VARIABLE, REDIS_VARIABLE, open_kafka, open_redis
from services.host import children
from services.host.children import Child, ChildFailed

NO_DOCKER = "no Docker: no daemon answers"


def no_docker() -> None:
    """A machine whose Docker does not answer."""
    raise WayClosed(NO_DOCKER)


def program(folder: Path, name: str, script: str) -> Path:
    """A program of this name that does what the script says."""
    folder.mkdir(exist_ok=True)
    file = folder / name
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)
    return file


def test_addresses_of_the_environment_come_first(tmp_path: Path) -> None:
    """Named brokers are taken as they are and cannot be killed."""
    kafka = open_kafka(tmp_path, {KAFKA_VARIABLE: "a:1,b:2"})
    assert (kafka.addresses, kafka.nodes) == (("a:1", "b:2"), ())
    redis = open_redis(tmp_path, {REDIS_VARIABLE: "c:3"})
    assert (redis.address, redis.program) == ("c:3", None)
    with pytest.raises(ValueError, match="not ours"):
        redis.kill()


def test_docker_comes_before_programs_of_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a daemon answers containers are started, even with programs on the path."""
    asked: list[str] = []
    monkeypatch.setattr(opening, "need_docker", lambda: asked.append("docker"))

    def start(launcher: object, *_: object) -> str:
        return type(launcher).__name__

    monkeypatch.setattr(opening, "start_kafka", start)
    monkeypatch.setattr(opening, "start_redis", start)
    environment = dict(os.environ) | {KAFKA_VARIABLE: "", REDIS_VARIABLE: ""}
    assert str(open_kafka(tmp_path, environment)) == "ContainerKafka"
    assert str(open_redis(tmp_path, environment)) == "ContainerRedis"
    assert asked == ["docker", "docker"]


def test_a_container_that_does_not_start_leaves_the_next_way_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A failed start is one of the reported reasons, and the next way is tried."""
    monkeypatch.setattr(opening, "need_docker", lambda: None)

    def start(*_: object) -> None:
        raise ChildFailed("no such image")

    monkeypatch.setattr(opening, "start_redis", start)
    with pytest.raises(BrokersMissing, match=r"no such image; no redis-server on the path"):
        open_redis(tmp_path / "redis", {"PATH": str(tmp_path)})


def test_all_that_is_missing_is_named_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Docker and programs the message names every way."""
    monkeypatch.setattr(opening, "need_docker", no_docker)
    with pytest.raises(BrokersMissing) as kafka:
        open_kafka(tmp_path, {"PATH": str(tmp_path)})
    assert str(kafka.value) == (
        f"no Kafka: {KAFKA_VARIABLE} names none; {NO_DOCKER}; "
        "no java on the path (Java 17 or newer; on Debian: default-jre-headless)"
    )
    with pytest.raises(BrokersMissing) as redis:
        open_redis(tmp_path, {"PATH": str(tmp_path)})
    assert str(redis.value) == (
        f"no Redis: {REDIS_VARIABLE} names none; {NO_DOCKER}; "
        "no redis-server on the path (on Debian: redis-server)"
    )


def test_an_old_java_is_refused(tmp_path: Path) -> None:
    """The version found and the one needed are reported."""
    program(tmp_path, "java", "echo 'openjdk version \"11.0.2\" 2019-01-15' >&2")
    with pytest.raises(
        WayClosed, match=r'java is openjdk version "11.0.2" 2019-01-15, needed is 17 or newer'
    ):
        find_java({"PATH": str(tmp_path)})


def test_chosen_jars_must_be_there(tmp_path: Path) -> None:
    """A folder named by the environment is never filled, only used."""
    with pytest.raises(WayClosed, match=f"{JARS_VARIABLE}: no server of Kafka {KAFKA_VERSION}"):
        find_jars({JARS_VARIABLE: str(tmp_path)})
    jar = tmp_path / f"kafka_2.13-{KAFKA_VERSION}.jar"
    jar.touch()
    assert find_jars({JARS_VARIABLE: str(tmp_path)}) == tmp_path


def test_the_pom_fetches_the_version_that_is_run() -> None:
    """Maven's file and the code name the same version."""
    found = re.search(r"<kafka\.version>(.+)</kafka\.version>", POM.read_text())
    assert found is not None
    assert found[1] == KAFKA_VERSION


@pytest.mark.integration
def test_children_die_with_a_killed_parent(tmp_path: Path) -> None:
    """kill -9 of the process that started a program ends the program too."""
    script = (
        "import sys, time; from pathlib import Path; from services.host.children import Child\n"
        f"child = Child('sleeper', ['sleep', '600'], Path({str(tmp_path / 'log')!r})); child.start()\n"
        "print(child.pid, flush=True); time.sleep(600)"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, cwd=REPOSITORY
    )
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    gone = os.pidfd_open(pid)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    watcher = Child("watcher", ["tail", f"--pid={pid}", "-f", "/dev/null"], tmp_path / "tail")
    watcher.start()
    assert watcher.wait_end(60) == 0
    with pytest.raises(ProcessLookupError):
        signal.pidfd_send_signal(gone, 0)
    os.close(gone)


def test_a_program_started_anew_is_watched_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of a run that ended by itself is forgotten: it may be another program's by now."""
    said: list[str] = []
    monkeypatch.setattr(children._guardian, "_say", said.append)
    child = Child("speaker", [str(program(tmp_path, "speaker", "exit 0"))], tmp_path / "log")
    pids = []
    for _ in range(2):
        child.start()
        pids.append(child.pid)
        with pytest.raises(ChildFailed):
            child.wait_until(lambda: False, 60)
    assert said == [f"+{pids[0]}\n", f"-{pids[0]}\n", f"+{pids[1]}\n"]


def test_a_program_that_ends_too_soon_is_reported_with_its_last_lines(tmp_path: Path) -> None:
    """The failure holds the exit code and what the program said."""
    child = Child("speaker", [str(program(tmp_path, "speaker", "echo I cannot; exit 3"))], tmp_path / "log")
    child.start()
    with pytest.raises(ChildFailed, match="speaker ended with code 3: I cannot"):
        child.wait_until(lambda: False, 60)


def test_a_server_starts_without_its_archive_where_none_can_be_made(tmp_path: Path) -> None:
    """The archive saves work only; jars that nobody may write to, or a Java that does not start, need none."""
    java = program(tmp_path / "bin", "java", "exit 1")
    jars = tmp_path / "jars"
    jars.mkdir()
    launcher = JavaKafka(str(java), jars)
    assert with_class_archive(launcher) is launcher
    assert not list(jars.glob("*.jsa"))


def test_an_archive_fits_one_java(tmp_path: Path) -> None:
    """Another Java has another archive beside it."""
    java = program(tmp_path / "bin", "java", "exit 0")
    archive = tmp_path / f"classes-{edition_of(java)}.jsa"
    archive.write_bytes(b"classes")
    launcher = with_class_archive(JavaKafka(str(java), tmp_path))
    assert f"-XX:SharedArchiveFile={archive}" in launcher.options
    other = program(tmp_path / "bin", "java", "exit 0 # another")
    assert edition_of(other) not in archive.name
