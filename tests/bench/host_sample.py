"""The services of the checkout in which this file is run, as processes on a Kafka and a Redis of the environment, until standard
input ends: `python -P tests/bench/host_sample.py FOLDER`. Prints one line of JSON when all serve.

`before` runs this file on the services of two checkouts, so it takes only what both have."""

import json
import os
import sys
from pathlib import Path

from services.common.kafka.administration import apply_topics
from services.common.kafka.settings import load_kafka_settings
from services.common.redis.settings import load_redis_settings
from services.common.settings.service import Settings
from services.host import processes
from services.host.processes import ClusterHost, Replicas

REPLICAS = Replicas(lobby=1, rules=2, routing=1, ledger=1)
# The route solver of a checkout that nobody has used has still to be compiled.
processes.START_SECONDS = 900.0


def main() -> int:
    """Make the topics, start the services, say where they are, wait, stop them."""
    kafka = load_kafka_settings(os.environ)
    apply_topics(kafka)
    folder = Path(sys.argv[1])
    host = ClusterHost(folder, kafka, load_redis_settings(os.environ), REPLICAS, Settings(routing_workers=1))
    host.start()
    try:
        pids = [(each.service, each.process.pid) for each in host.replicas]
        said = {"lobby": host.addresses.lobby, "rules": host.addresses.rules, "pids": pids}
        print(json.dumps(said), flush=True)
        sys.stdin.read()
    finally:
        host.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
