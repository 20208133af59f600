"""A host in a process of its own, for tests that kill it: prints its addresses as one line of JSON."""

import json
import sys
from pathlib import Path

from services.host.embedded import Addresses, serve_until_stopped
from tests.host.conftest import settings_in


def show(addresses: Addresses) -> None:
    """Tells the parent where the services answer."""
    found = {name: getattr(addresses, name) for name in Addresses.__slots__}
    sys.stdout.write(json.dumps(found) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    serve_until_stopped(settings_in(Path(sys.argv[1])), show)
