"""Names of players: which are accepted, and which are the same."""

import unicodedata

import pytest
from hypothesis import given, strategies as st

from services.ledger.domain import accounts
from services.lobby.domain.names import (
    NAME_LENGTH_MAX,
    RESERVED_NAMES,
    accepted_name,
    look_alike_keys,
    name_key,
)
from services.lobby.domain.rejections import Rejection, RejectionReason
from services.rules.kernel.vocabulary import RESERVED_HOLDERS


def reason_of(name: str) -> RejectionReason:
    """Why a name is rejected."""
    rejection = accepted_name(name)
    assert isinstance(rejection, Rejection), name
    assert rejection.sentence
    return rejection.reason


def are_alike(first: str, second: str) -> bool:
    """Whether two accepted names can be taken for each other."""
    assert not isinstance(accepted_name(first), Rejection)
    assert not isinstance(accepted_name(second), Rejection)
    return not set(look_alike_keys(first)).isdisjoint(look_alike_keys(second))


@pytest.mark.parametrize(
    "name",
    [
        *(
            "Al",
            "Örs Nagy",
            "d'Artagnan",
            "x" * 32,
            "José",
            "Łukasz",
            "Nguyễn Văn",
            "ışık",
            "P 1",
            "a_b",
            "B.-B.",
        ),
        *("Дмитрий", "Ελένη", "李雷", "さくら", "サクラ ゆき", "김철수", "שלום", "محمد", "Ṩø"),
        *("अनीता", "अनीता शर्मा", "गांधी", "क्षितिज", "ศรีสุดา", "தமிழ்", "ශ්\u200dරී"),
    ],
)
def test_names_of_all_scripts_are_accepted(name: str) -> None:
    """Letters with their marks, in the scripts that are written today."""
    assert accepted_name(name) == unicodedata.normalize("NFC", name)


def test_a_decomposed_name_is_composed() -> None:
    """Some systems write é as two characters: the name is the same."""
    assert accepted_name("Jose\u0301") == "Jos\u00e9"


@pytest.mark.parametrize(
    "name",
    [
        *("", "a", "x" * 33, "x" * 10_000, " ann", "ann ", "P  1", "a\nb", "a\tb", "a\u00a0b", "...", "- -"),
        *("<b>", "a:b", "a/b", "a@b", "a\u2019b", "\U0001f600\U0001f600", "\u2800\u2800", "ﬁsh", "Ⅳx"),
        *(
            "\u3164\u3164",
            "\u115f\u115f",
            "a\u00adb",
            "a\u200bb",
            "a\u202eb",
            "ab\u200d",
            "a\u2066b",
            "\ufeffab",
        ),
        *("a\u0301\u0301", "a\u0316\u0317\u0318\u0319\u031a", "\u0301ab", "\ud800a"),
    ],
    ids=ascii,
)
def test_blank_invisible_and_misleading_characters_are_rejected(name: str) -> None:
    """Names too short, too long, with blanks, controls, symbols or piles of marks."""
    assert reason_of(name) is RejectionReason.NAME_MALFORMED


@pytest.mark.parametrize("name", ["Аda", "Ada Лена", "pаypal", "Αnn", "ab שלום", "1\u0967ab", "ab\u0967"])
def test_mixed_scripts_are_rejected(name: str) -> None:
    """A Cyrillic or Greek letter in a Latin name, Latin and Hebrew, digits of two scripts."""
    assert reason_of(name) is RejectionReason.NAME_MIXES_SCRIPTS


@pytest.mark.parametrize(
    "name", ["admin", "Admin", "ADMIN", "adm1n", "ad.min", "bank", "Bank Pool", "root", "b-a-n-k"]
)
def test_reserved_names_are_rejected(name: str) -> None:
    """Also in capitals, with look-alike digits, and with dots or dashes between."""
    assert reason_of(name) is RejectionReason.NAME_RESERVED


def test_every_holder_of_rules_and_ledger_is_reserved() -> None:
    """A player's name is not mistaken for an account that no player owns."""
    holders = {accounts.BANK, accounts.POOL, accounts.LOANS, accounts.ISSUE, accounts.DEBTS}
    assert (holders | RESERVED_HOLDERS) <= RESERVED_NAMES
    assert all(isinstance(accepted_name(name), Rejection) for name in RESERVED_NAMES)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        *(
            ("Ada", "ADA"),
            ("STRASSE", "straße"),
            ("Ian", "lan"),
            ("Bob0", "BobO"),
            ("P 1", "P l"),
            ("Cam", "Carn"),
        ),
        *(("асе", "ace"), ("ВОВ", "BOB"), ("ノート", "丿ート"), ("नमस्\u200dते", "नमस्ते")),
    ],
)
def test_names_that_look_the_same_are_the_same(first: str, second: str) -> None:
    """Case, look-alike letters and digits, other scripts throughout, invisible joiners."""
    assert are_alike(first, second)


@pytest.mark.parametrize(
    ("first", "second"), [("Ann", "Anne"), ("Kai", "Kal"), ("Éva", "Eva"), ("P 1", "P 2")]
)
def test_names_that_look_different_are_different(first: str, second: str) -> None:
    """A letter or an accent more makes another name."""
    assert not are_alike(first, second)
    assert name_key(first) != name_key(second)


@given(st.text(max_size=NAME_LENGTH_MAX + 2))
def test_accepting_is_stable(written: str) -> None:
    """Whatever is written, an accepted name is accepted as it is, and is the same as in other case."""
    name = accepted_name(written)
    if not isinstance(name, Rejection):
        assert accepted_name(name) == name
        assert are_alike(name, name)
        assert name_key(name) == name_key(written)
