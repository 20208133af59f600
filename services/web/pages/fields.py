"""Fields of forms as the services take them. All raise `ProblemError` that names the field."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import UTC, datetime, time, timedelta

from services.web.pages.shown import MINUTE_MS, SECOND_MS, UNIT
from services.web.problems import ProblemError, of_http

DIGITS_MAX = 15
SEQUENCE_DIGITS_MAX = 18
FRACTION_DIGITS = 6
INT32_MAX = 2**31 - 1
OFFSET = ".offset"
MINUTES_OF_HOUR = 60
ZONE_MINUTES = (
    *range(-12 * 60, 15 * 60, 60),
    *(3 * 60 + 30, 4 * 60 + 30, 5 * 60 + 30, 5 * 60 + 45, 6 * 60 + 30, 9 * 60 + 30, -3 * 60 - 30),
)


def zones() -> list[tuple[str, str]]:
    """The distances from UTC that a time can be given in, in minutes, and how they are written."""
    return [
        (str(each), f"UTC{'-' if each < 0 else '+'}{abs(each) // 60:02d}:{abs(each) % 60:02d}")
        for each in sorted(ZONE_MINUTES)
    ]


def whole(form: Mapping[str, str], name: str) -> int:
    """A whole number; 0 for an empty field."""
    given = form.get(name, "").strip()
    digits = given.removeprefix("-")
    if not given:
        return 0
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= DIGITS_MAX):
        raise malformed(name, f"{given!r} is no whole number")
    return int(given)


def small(form: Mapping[str, str], name: str) -> int:
    """A whole number of a field of 32 bits."""
    return check_small(name, whole(form, name))


def check_small(name: str, found: int) -> int:
    """The same number, if a field of 32 bits holds it."""
    if abs(found) > INT32_MAX:
        raise malformed(name, f"{found} is too large")
    return found


def in_path(text: str) -> int:
    """A number in an address, such as that of a table."""
    return small({"number": text if text.isascii() and text.isdecimal() else "?"}, "number")


def sequence(given: str, name: str = "sequence") -> int:
    """The sequence of an event, as pages send it."""
    if not (given.isascii() and given.isdecimal() and len(given) <= SEQUENCE_DIGITS_MAX):
        raise malformed(name, "is no sequence")
    return int(given)


def millionths(form: Mapping[str, str], name: str) -> int:
    """Points such as 2.5, in millionths; 0 for an empty field."""
    given = form.get(name, "").strip().replace(",", ".")
    digits, _, rest = given.partition(".")
    parts = [each for each in (digits, rest) if each]
    is_number = all(each.isascii() and each.isdecimal() for each in parts) and bool(parts)
    if not given:
        return 0
    if not is_number or len(digits) > DIGITS_MAX - FRACTION_DIGITS or len(rest) > FRACTION_DIGITS:
        raise malformed(name, f"{given!r} is no number of points")
    return int(digits or 0) * UNIT + int(rest.ljust(FRACTION_DIGITS, "0"))


def time_ms(form: Mapping[str, str], name: str) -> int:
    """A time and its distance from UTC as milliseconds since 1970 UTC; 0 for an empty field."""
    given = form.get(name, "").strip()
    if not given:
        return 0
    try:
        local = datetime.fromisoformat(given).replace(tzinfo=UTC)
        moment = local - timedelta(milliseconds=whole(form, name + OFFSET) * MINUTE_MS)
        return max(0, int(moment.timestamp()) * SECOND_MS)
    except (ValueError, OverflowError) as error:
        raise malformed(name, f"{given!r} is no time") from error


def minute_of_day(form: Mapping[str, str], name: str) -> int:
    """A time of the day such as 19:30, in minutes since midnight."""
    given = form.get(name, "").strip()
    try:
        found = time.fromisoformat(given)
    except ValueError as error:
        raise malformed(name, f"{given!r} is no time of the day, such as 19:30") from error
    return found.hour * MINUTES_OF_HOUR + found.minute


def chosen(form: Mapping[str, str], name: str, names: Collection[str]) -> str | None:
    """One of these names; None for an empty field."""
    given = form.get(name, "")
    if given and given not in names:
        raise malformed(name, f"{given!r} cannot be chosen")
    return given or None


def malformed(name: str, detail: str) -> ProblemError:
    """For what a field cannot hold."""
    return of_http(400, "malformed_request", f"{name}: {detail}", field=name)
