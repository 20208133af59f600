"""Seeds from the operating system's random source."""

import secrets


class SystemSeeds:
    """The `SeedSource` port."""

    def draw(self) -> int:
        """See `SeedSource.draw`."""
        return secrets.randbelow(2**63)
