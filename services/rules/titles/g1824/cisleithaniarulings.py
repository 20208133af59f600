"""The rulings of 1824 on Cisleithania, the variants for two and three players (X, XI)."""

from __future__ import annotations

from services.rules.kernel.title import RulingChoice

CISLEITHANIA: tuple[RulingChoice, ...] = (
    RulingChoice(
        "cash_of_three_in_cisleithania",
        ("printed", "corrected"),
        "corrected",
        ("1824/XI.2-b",),
        "Do three players on the Cisleithania map begin with 680 each, as printed, or with 700?",
    ),
    RulingChoice(
        "tokens_of_ug",
        ("five", "four"),
        "four",
        ("1824/XI.3-d", "1824/IV.4.4-f"),
        "On the Cisleithania map, has UG as many tokens as the other states, or one less for the missing UG2?",
    ),
    RulingChoice(
        "bukowina_bonus",
        ("two_players", "always"),
        "always",
        ("1824/X.4-o", "1824/XI.3-d"),
        "Do runs from Wien or Prag to the Bukowina earn their bonus with two players only, or with three as well?",
    ),
    RulingChoice(
        "allotment_begins",
        ("starting_player", "second_player"),
        "second_player",
        ("1824/X.5-a", "1824/X.5-b", "1824/X.5-c"),
        "Which of two players takes the first private company?",
    ),
    RulingChoice(
        "mountain_company_in_allotment",
        ("bought", "optional"),
        "optional",
        ("1824/X.5-g",),
        "Does each of two players buy a mountain company right after the stacks, or may he in any turn of the stock round that "
        "follows?",
    ),
    RulingChoice(
        "mountain_exchange_source",
        ("bank", "bank_or_pool"),
        "bank_or_pool",
        ("1824/IV.1-f", "1824/X.4-b"),
        "May a mountain company of two players be exchanged for a certificate in the bank only, or for one in the pool too?",
    ),
    RulingChoice(
        "bond_home_token",
        ("at_start", "first_turn"),
        "first_turn",
        ("1824/X.4-k",),
        "When does the regional without director get its base token: before the first round, or in its first turn?",
    ),
    RulingChoice(
        "bond_income_rounding",
        ("up", "down"),
        "down",
        ("1824/X.4-g",),
        "Is what a holder gets from the regional without director rounded up or down, after all his shares are added?",
    ),
    RulingChoice(
        "bond_tokens_placed",
        ("may_pass", "always"),
        "always",
        ("1824/X.4-l",),
        "Must the director who buys the last 4-train place the second token of the regional without director?",
    ),
    RulingChoice(
        "bond_token_by_used_train",
        ("no", "yes"),
        "yes",
        ("1824/X.4-l", "1824/X.4-m"),
        "While that token is still to come, does a used train of the same type bring it too, once the bank has none left "
        "and sells the next type?",
    ),
    RulingChoice(
        "bond_token_in_wien",
        ("is_the_one", "is_that_of_wien"),
        "is_that_of_wien",
        ("1824/X.4-l", "1824/X.4-n"),
        "Placed in Wien, is that token the one for the train, or the one for brown Wien, so that another follows at once?",
    ),
    RulingChoice(
        "construction_capital",
        ("at_closing", "at_formation"),
        "at_formation",
        ("1824/X.3-d", "1824/IV.4.4-f"),
        "Does a state get its capital for a construction company when that closes, or as the price of one more share?",
    ),
    RulingChoice(
        "tokens_after_construction",
        ("five", "four"),
        "four",
        ("1824/IV.4.4-a", "1824/VII.8-d"),
        "Has a state whose pre-state was a construction company five tokens like the others, or is the one lost that it would "
        "have taken over?",
    ),
    RulingChoice(
        "pool_dividends",
        ("nobody", "company"),
        "company",
        ("1824/X.4-b", "1824/VII.10-g"),
        "Who gets the dividend of shares in the bank pool?",
    ),
)
