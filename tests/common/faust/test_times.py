"""How long followers wait, against how long others wait for them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from services.common.faust.driver import event_loop_of_thread
from services.common.faust.runner import FollowerApp
from services.common.kafka.settings import KafkaSettings
from services.common.process.progress import STALLED_SECONDS
from services.host.watchdog import RECOVERY_SECONDS

SECONDS_TO_SEND_AGAIN = 10.0


def waits(folder: Path) -> tuple[float, float]:
    """Seconds after which a follower's session and its requests end; made in a thread of its own, as Faust sets its loop."""
    loop = event_loop_of_thread()
    try:
        conf = FollowerApp(KafkaSettings(servers=("127.0.0.1:9",)), "test.follower", folder)._new_app().conf
    finally:
        loop.close()
    return conf.broker_session_timeout, conf.broker_request_timeout


def test_a_lost_request_is_given_up_before_the_watchdog_ends_the_process(tmp_path: Path) -> None:
    """A connection that is cut without a word answers nothing, and records wait meanwhile."""
    with ThreadPoolExecutor(1) as apart:
        session, request = apart.submit(waits, tmp_path).result()
    assert session < request < STALLED_SECONDS + RECOVERY_SECONDS - SECONDS_TO_SEND_AGAIN
