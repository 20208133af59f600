"""How pytest is run here: nothing is printed or stored, and hypothesis finds the same examples every time."""

from __future__ import annotations

from hypothesis import settings

PYTEST_OPTIONS = (
    "-o",
    "addopts=",
    "-m",
    "not soak and not integration",
    "--strict-markers",
    "-p",
    "no:cacheprovider",
    "-p",
    "no:xdist",
    "-p",
    "no:terminal",
    "--capture=no",
)


def use_repeatable_examples() -> None:
    """No examples of broken code are kept for later runs of the tests."""
    settings.register_profile("mutation", database=None, derandomize=True)
    settings.load_profile("mutation")
