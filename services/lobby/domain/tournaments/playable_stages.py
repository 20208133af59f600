"""Whether the stages of a charter can have tables at all, by its titles and the preset designs."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from services.lobby.domain.rejections import Rejection
from services.lobby.domain.tournaments.charter import Charter, malformed
from services.lobby.domain.tournaments.formats.designs import Design, design_for
from services.lobby.domain.tournaments.formats.stages import Groups, Stage, offered_sizes
from services.lobby.domain.tournaments.pairing.problem import SizePolicy
from services.lobby.domain.tournaments.pairing.sizes import table_sizes
from services.lobby.domain.tournaments.rejections import TournamentRejected


def reject_unplayable(charter: Charter, begun: int, designs: Sequence[Design]) -> Rejection | None:
    """Why a stage could not be played, with the setting that is wrong; None if all can be. The first `begun` stages are
    as they are: titles that they needed may be gone."""
    for index, stage in list(enumerate(charter.stages))[begun:]:
        if isinstance(stage.format, Groups):
            rejection = _reject_groups(charter, stage.format, f"stages[{index}].format", designs)
        else:
            rejection = _reject_sizes(charter, stage, f"stages[{index}].sizes.allowed")
        if rejection is not None:
            return rejection
    return None


def _reject_sizes(charter: Charter, stage: Stage, path: str) -> Rejection | None:
    if offered_sizes(stage.sizes.allowed, charter.offered()):
        return None
    return malformed(f"{path} has no size for which a title is offered", path)


def _reject_groups(
    charter: Charter, groups: Groups, path: str, designs: Sequence[Design]
) -> Rejection | None:
    sizes: Collection[int] = (groups.table_size,)
    if design_for(groups.group_size, groups.table_size, designs) is None:
        if groups.rounds == 0:
            field = f"{path}.rounds"
            return malformed(
                f"{field} is 0, and no preset design fits groups of this size and their tables", field
            )
        try:
            sizes = set(table_sizes(groups.group_size, SizePolicy(groups.table_size)))
        except TournamentRejected as problem:
            field = f"{path}.group_size"
            return malformed(f"{field}: {problem.sentence}", field)
    for size in sorted(sizes):
        if not offered_sizes((size,), charter.offered()):
            field = f"{path}.table_size"
            return malformed(f"{field} gives tables of {size}, for which no title is offered", field)
    return None
