"""Names of players: which are accepted, and which count as the same (docs/decisions/0020-names.md)."""

import unicodedata

import icu
from precis_i18n import get_profile

from services.lobby.domain.rejections import Rejection, RejectionReason

NAME_LENGTH_MIN = 2
NAME_LENGTH_MAX = 32
EXTRA_CHARACTERS = "._-'"
# UTS 39, 5.4: more marks than this on one letter are no writing system's.
MARKS_IN_A_ROW_MAX = 4
# Only valid between certain letters, which RFC 5892 (A.1, A.2) names and the PRECIS profile checks.
JOINERS = "\u200c\u200d"

RESERVED_NAMES = frozenset(
    (
        *("bank", "pool", "bank pool", "loans", "issue", "debts", "market", "treasury", "ipo", "open market"),
        *("signalbox", "lobby", "rules", "routing", "ledger", "service", "server", "system"),
        *(
            "admin",
            "administrator",
            "root",
            "operator",
            "moderator",
            "staff",
            "support",
            "security",
            "official",
        ),
        *("tournament director", "director", "referee", "judge"),
        *("anonymous", "nobody", "everybody", "everyone", "none", "null", "undefined", "unknown", "deleted"),
    )
)
"""Holders of the rules and the ledger, our services, people with a function, and words that mean nobody or everybody."""

_WORD = get_profile("UsernameCasePreserved")
_NOT_A_NAME = Rejection(
    RejectionReason.NAME_MALFORMED,
    f"A name has {NAME_LENGTH_MIN} to {NAME_LENGTH_MAX} visible characters: letters and digits, among them single spaces "
    "and . _ - '.",
)
_MIXED = Rejection(
    RejectionReason.NAME_MIXES_SCRIPTS,
    "The letters or digits of this name belong to scripts that are not written together.",
)
_RESERVED = Rejection(RejectionReason.NAME_RESERVED, "This name is reserved; choose another one.")


def _profile_checker() -> icu.SpoofChecker:
    """Checks for the General Security Profile of UTS 39, our extra characters added, and one script for each name."""
    allowed = icu.UnicodeSet()
    checker = icu.SpoofChecker()
    allowed.addAll(checker.getRecommendedUnicodeSet())
    for character in " " + EXTRA_CHARACTERS + JOINERS:
        allowed.add(character)
    checker.setChecks(icu.USpoofChecks.ALL_CHECKS)
    checker.setRestrictionLevel(icu.URestrictionLevel.HIGHLY_RESTRICTIVE)
    checker.setAllowedUnicodeSet(allowed)
    return checker


_CHECKER = _profile_checker()
_MIXES = icu.USpoofChecks.RESTRICTION_LEVEL | icu.USpoofChecks.MIXED_NUMBERS


def accepted_name(written: str) -> str | Rejection:
    """The name in its normal form, or why it is rejected. Words are divided by one space (RFC 8265, 3.5)."""
    # A letter may be written with several characters that the normal form composes.
    if len(written) > NAME_LENGTH_MAX * MARKS_IN_A_ROW_MAX:
        return _NOT_A_NAME
    try:
        name = " ".join(_WORD.enforce(word) for word in written.split(" "))
    except UnicodeEncodeError:
        return _NOT_A_NAME
    problems = _CHECKER.check(name)
    if not _is_readable(name) or problems & ~_MIXES:
        return _NOT_A_NAME
    if problems:
        return _MIXED
    if not _RESERVED_KEYS.isdisjoint(_reserved_keys(name)):
        return _RESERVED
    return name


def name_key(name: str) -> str:
    """The key by which a player signs in: case does not count. Later versions of Unicode do not change it."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def look_alike_keys(name: str) -> tuple[str, ...]:
    """Names with a key in common can be taken for each other, as they are written or in lower case."""
    return tuple(sorted({_skeleton(name), _skeleton(name.casefold())}))


def _skeleton(text: str) -> str:
    """UTS 39, 4, without case."""
    skeleton: str = _CHECKER.getSkeleton(icu.USpoofChecks.ALL_CHECKS, text)
    return skeleton.casefold()


def _reserved_keys(name: str) -> set[str]:
    """Keys without the characters between words; i is l as well, since a capital I looks like it."""
    joined = "".join(character for character in name if character not in " " + EXTRA_CHARACTERS)
    return {key.replace("i", "l") for key in look_alike_keys(joined)}


def _is_readable(name: str) -> bool:
    """Whether it has the right length, a letter or digit, and marks on letters only, not too many of them."""
    marks_left = 0
    for character in unicodedata.normalize("NFD", name):
        if unicodedata.category(character) not in ("Mn", "Me"):
            marks_left = 0 if character in " " + EXTRA_CHARACTERS else MARKS_IN_A_ROW_MAX
        elif marks_left == 0:
            return False
        else:
            marks_left -= 1
    is_long_enough = NAME_LENGTH_MIN <= len(name) <= NAME_LENGTH_MAX
    return is_long_enough and any(character.isalnum() for character in name)


_RESERVED_KEYS = frozenset(key for word in RESERVED_NAMES for key in _reserved_keys(word))
