"""Writes the playthroughs and the counts of choices again, so that a change of rules shows as a difference of texts."""

from __future__ import annotations

import argparse
import sys

from services.rules.titles import BUILT_IN
from tests.golden import counting, files
from tests.golden.plans import PLANS, PLANS_BY_NAME, Plan
from tests.golden.playing import COMMANDS_MOST, Playthrough, position


def main() -> int:
    """Exit 1 where something differs or could not be written."""
    parser = argparse.ArgumentParser(prog="python -m tests.golden", description=__doc__)
    parser.add_argument("names", nargs="*", help="playthroughs; all of them and the counts without any")
    parser.add_argument(
        "--write", action="store_true", help="write the texts; otherwise differences are shown"
    )
    parser.add_argument(
        "--choices", type=int, metavar="STEP", help="list every choice at a step of a playthrough"
    )
    parser.add_argument("--search", type=int, metavar="SEEDS", help="find seeds whose game ends as planned")
    options = parser.parse_args()
    plans = [PLANS_BY_NAME[name] for name in options.names] or list(PLANS)
    if options.choices is not None:
        for line in position(plans[0], files.recorded(plans[0]), options.choices).choices_by_words:
            print(line)
        return 0
    if options.search is not None:
        for plan in plans:
            _search(plan, options.search)
        return 0
    outcomes = [_playthrough(plan, options.write) for plan in plans]
    if not options.names:
        outcomes += [_counts(title.name, options.write) for title in BUILT_IN]
    return 0 if all(outcomes) else 1


def _playthrough(plan: Plan, write: bool) -> bool:
    if not write:
        return _shown(files.difference(plan.name, files.recorded(plan), files.replayed(plan).all))
    try:
        changed = files.write(plan)
    except files.OtherEnding as problem:
        print(f"{problem}; another seed may, see --search")
        return False
    print(f"{plan.name} {'written' if changed else 'unchanged'}")
    return True


def _counts(title: str, write: bool) -> bool:
    path = counting.path_of(title)
    old = path.read_text(encoding="utf-8")
    new = counting.replayed(title)
    if not write:
        return _shown(files.difference(path.name, old, new))
    path.write_text(new, encoding="utf-8")
    print(f"counts of {title} {'unchanged' if new == old else 'written'}")
    return True


def _shown(difference: str) -> bool:
    if difference:
        print(difference)
    return not difference


def _search(plan: Plan, seeds: int) -> None:
    """Print every seed whose game ends as planned, with the number of its steps."""
    for seed in range(1, seeds + 1):
        through = Playthrough(plan, seed)
        while not through.is_over and not through.play.unproven and through.step < COMMANDS_MOST:
            through.carry_out(through.bot_command())
        if through.is_over and through.play.game.ending == plan.ends:
            print(f"{plan.name}: seed {seed}, {through.step} steps", flush=True)


if __name__ == "__main__":
    sys.exit(main())
