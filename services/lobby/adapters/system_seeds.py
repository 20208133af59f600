"""Seeds from the system's source of chance."""

import secrets


class SystemSeeds:
    """The `SeedSource` port."""

    def draw(self) -> int:
        """See `SeedSource.draw`."""
        return secrets.randbelow(2**63)
