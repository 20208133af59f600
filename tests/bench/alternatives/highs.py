"""HiGHS on one thread until a processor time: its own limit is wall time, which other jobs on the machine eat up."""

from __future__ import annotations

import time

import highspy

WALL_MOST = 3.0


def made_ready(end: float) -> highspy.Highs:
    """A quiet solver to the last unit of money that gives up at `end`.

    Some phases never ask whether to go on and look at the wall time alone, if rarely; that ends at `WALL_MOST` times
    what was left.
    """
    highs = highspy.Highs()
    highs.setOptionValue("time_limit", WALL_MOST * max(0.01, end - time.process_time()))
    for name, value in (("output_flag", False), ("threads", 1), ("mip_rel_gap", 0.0), ("mip_abs_gap", 0.5)):
        highs.setOptionValue(name, value)

    def look(event: highspy.highs.HighsCallbackEvent) -> None:
        event.interrupt(time.process_time() > end)

    highs.cbMipInterrupt += look
    highs.cbSimplexInterrupt += look
    return highs
