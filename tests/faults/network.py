"""Places with a network of their own around one router, where traffic between any two can be cut in either direction.

The router drops packets without an answer, as a broken network does: a connection that is cut stays open at both ends.
Everything disappears with the processes that hold the namespaces."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from services.host.children import Child, ChildFailed
from services.host.sites import Site

OUTSIDE = "outside"
"""The place of this process and of everything that has no place of its own."""
START_SECONDS = 20.0
LOOK_EVERY_SECONDS = 0.01
OUR_NAMESPACE = Path("/proc/self/ns/net")


class Network:
    """Made by `network`."""

    def __init__(self, router: Child, places: dict[str, Site]) -> None:
        self._router = router
        self.places = places

    def cut(self, source: str, target: str) -> None:
        """Drop what `source` sends to `target` from now on."""
        self._rule("add", source, target)

    def mend(self, source: str, target: str) -> None:
        """Let it through again."""
        self._rule("del", source, target)

    def _rule(self, action: str, source: str, target: str) -> None:
        hosts = ("from", self.places[source].host, "to", self.places[target].host)
        _run(*_entrance(self._router), "ip", "rule", action, *hosts, "blackhole")


@contextmanager
def network(names: Sequence[str], log: Path) -> Iterator[Network]:
    """A network of these places and `OUTSIDE`; only in a process for which `is_isolated`. Raises `ChildFailed`."""
    with ExitStack() as stack:
        _run("ip", "link", "set", "lo", "up")
        router = _namespace("router", log, stack)
        _run(*_entrance(router), "sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward")
        places = {OUTSIDE: _connect(router, 0, None)}
        for number, name in enumerate(names, start=1):
            places[name] = _connect(router, number, _namespace(name, log, stack))
        yield Network(router, places)


def _namespace(name: str, log: Path, stack: ExitStack) -> Child:
    """A process that holds a network namespace."""
    holder = Child(f"network of {name}", ["unshare", "--net", "sleep", "infinity"], log)
    holder.start()
    stack.callback(holder.kill)
    deadline = time.monotonic() + START_SECONDS
    while Path(f"/proc/{holder.pid}/ns/net").readlink() == OUR_NAMESPACE.readlink():
        if time.monotonic() > deadline or not holder.is_running:
            raise ChildFailed(f"{holder.name}: {holder.last_words()}")
        time.sleep(LOOK_EVERY_SECONDS)
    _run(*_entrance(holder), "ip", "link", "set", "lo", "up")
    return holder


def _connect(router: Child, number: int, holder: Child | None) -> Site:
    """A cable from the router to the namespace that `holder` holds, or to our own."""
    near, far, cable = f"10.99.{number}.1", f"10.99.{number}.2", f"cable{number}"
    there = () if holder is None else _entrance(holder)
    _run(*there, "ip", "link", "add", "eth0", "type", "veth", "peer", "name", cable, "netns", str(router.pid))
    _run(*there, "ip", "addr", "add", f"{far}/30", "dev", "eth0")
    _run(*there, "ip", "link", "set", "eth0", "up")
    _run(*_entrance(router), "ip", "addr", "add", f"{near}/30", "dev", cable)
    _run(*_entrance(router), "ip", "link", "set", cable, "up")
    _run(*there, "ip", "route", "add", "default", "via", near)
    return Site(host=far, entrance=there)


def _entrance(holder: Child) -> tuple[str, ...]:
    return ("nsenter", f"--net=/proc/{holder.pid}/ns/net", "--")


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise ChildFailed(f"{' '.join(command)}: {done.stderr.strip()}")
