"""The `GameImporter` of a lobby that imports nothing."""

from collections.abc import Mapping

from services.lobby.domain.imports import ImportedGame, ImportWanted
from services.lobby.domain.rejections import ImportFault
from services.lobby.ports import ImportRefused, IsCancelled


class NoImporter:
    """Refuses every file."""

    def read(
        self, wanted: ImportWanted, accounts: Mapping[str, str], is_cancelled: IsCancelled
    ) -> ImportedGame:
        """See `GameImporter`."""
        raise ImportRefused(ImportFault("not_offered"), "This lobby imports no games.")
