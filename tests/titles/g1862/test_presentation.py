"""How 1862 is shown to people: the words for trains, and what its columns say of companies."""

from __future__ import annotations

from services.rules.titles.g1862.presentation import OWN_PRESENTATION, train_name
from tests.titles.g1862.table import ADA, BEN, CLEO, new_table


def test_a_train_shows_its_face_and_a_star_for_every_warranty() -> None:
    """The same card is `2E` or `2L`; before it is bought it is an A."""
    table = new_table(offer=("ESR",))
    express, local = (table.owns_trains("ESR", "A", runs_as=kind)[0] for kind in ("express", "local"))
    table.warranties_are(express, 2)
    names = [train_name(table.data, table.game, train) for train in (express, local, "A-2")]
    assert names == ["2E**", "2L", "A"]


def test_columns_of_a_company() -> None:
    """Its own shares, its price on the chart of initial offers once it has one, and the letters of its licences."""
    table = new_table(offer=("ESR", "ECR"))
    table.is_founded("ESR", 142, ADA, shares=6, chartered=False)
    table.licences_are("ESR", "freight", "local")
    shown = [
        [column.text(table.data, table.game, symbol) for column in OWN_PRESENTATION.company_columns]
        for symbol in ("ESR", "ECR")
    ]
    assert shown[0] == ["40 %", "100", "F L"]
    assert shown[1][1] == ""


def test_a_player_is_shown_with_the_companies_he_answers_for() -> None:
    """One after the other, and nothing for who answers for none."""
    table = new_table(offer=("ESR", "ECR", "EUR"))
    for player, company in ((ADA, "ESR"), (BEN, "ECR"), (ADA, "EUR")):
        table.has_obligation(player, company)
    notes = [OWN_PRESENTATION.player_note(table.data, table.game, player) for player in (ADA, BEN, CLEO)]
    assert notes == ["; answers for ESR; answers for EUR", "; answers for ECR", ""]
