"""A second language is a file: it is chosen by the browser or its owner, and no template has a text of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode
from zoneinfo import available_timezones

import pytest
from jinja2 import Environment, nodes

from services.common.settings.variables import SettingsError
from services.common.settings.web import WebSettings, load_web_settings
from services.gen.signalbox.events.v1 import events_pb2
from services.gen.signalbox.titles.g1824.v1 import g1824_pb2 as g1824
from services.web.pages.happened import sentence_of
from services.web.pages.site import TEMPLATES
from services.web.pages.texts import Languages, Texts, accepted_in
from services.web.problems import Problem
from tests.web.events import CSRF, FORM, Person
from tests.web.languages import TAG, english_texts, read_on, translate
from tests.web.serving import RULES, Web, game_of, web_serving

# What a macro writes into a tag.
ATTRIBUTES = re.compile(r'(open|[a-z-]+="[^"]*"|\s)+')
WORD = re.compile(r"[A-Za-z]{2,}")
# Of the site, languages and players.
NAMES = {"Signalbox", "English", "Ann", "Ben"}


def own_texts(template: str) -> list[str]:
    """What people would read of a template itself."""
    parsed = Environment().parse(template)
    parts: list[str] = []
    for output in parsed.find_all(nodes.Output):
        parts += [each.data if isinstance(each, nodes.TemplateData) else " " for each in output.nodes]
    read = read_on("".join(parts))
    return [each for each in read if WORD.search(each) and not ATTRIBUTES.fullmatch(each)]


@pytest.mark.parametrize("path", sorted(TEMPLATES.glob("*.html")), ids=lambda path: path.name)
def test_templates_have_no_texts_of_their_own(path: Path) -> None:
    """All of them stand in the catalogue."""
    assert own_texts(path.read_text("utf-8")) == []


@pytest.mark.parametrize(
    ("header", "wanted"),
    [
        ("de-AT, de;q=0.9, en;q=0.8", ["de-at", "de", "en"]),
        ("en;q=0.1, fr", ["fr", "en"]),
        ("fr;q=0, *", ["*"]),
        ("", []),
        ("de;q=high, , en", ["en"]),
    ],
)
def test_a_browser_says_what_it_wants(header: str, wanted: list[str]) -> None:
    """What is wrong in the header is left out."""
    assert accepted_in(header) == wanted


def written(folder: Path, text: str, name: str = "de.toml") -> Languages:
    """The languages with a translation."""
    (folder / name).write_text(text, "utf-8")
    return Languages(str(folder))


def test_what_a_translation_lacks_is_english(tmp_path: Path) -> None:
    """And the choice of a browser's owner counts more than its header."""
    known = written(tmp_path, '[site]\nlanguage = "Deutsch"\nlobby = "Tische"\n')
    german = known.texts("de")
    assert (german("site.lobby"), german("site.home")) == ("Tische", "My games")
    assert known.names() == {"en": "English", "de": "Deutsch"}
    assert [known.chosen(*each) for each in (("", "de-AT"), ("en", "de"), ("xx", "fr, DE"), ("", "fr"))] == [
        *("de", "en", "de", "en")
    ]
    assert known.texts("fr").language == "en"


def test_one_is_not_many(tmp_path: Path) -> None:
    """In English, and in a translation, whose texts are not mixed with English ones."""
    english, german = Texts(), written(tmp_path, '[event]\nall_players = "{count} am Tisch"\n').texts("de")
    assert [english("event.all_players", count=count) for count in (0, 1, 2)] == [
        *("0 players", "1 player", "2 players")
    ]
    assert english("event.awarded", count="1") == "1 point"
    assert english("format.swiss", count=1).startswith("1 Swiss round:")
    assert german("event.all_players", count=1) == "1 am Tisch"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[site]\nlobbby = "x"', "site.lobbby"),
        ('[sites]\nlobby = "x"', "sites.lobby"),
        ('[site]\nclause = "{claws}"', "claws"),
        ('[site]\nclause = "{"', "de.toml"),
        ('[happened]\nnothing_like_it = "x"', "happened.nothing_like_it"),
        ('[happened]\n"signalbox.titles.none.v1.It" = "x"', "titles.none"),
        ('[happened]\ntitle_event = "x"', "happened.title_event"),
        ('[happened]\ntile_laid = "{colour}"', "colour"),
        ('[refusal]\nnot_your_turn = "{claws}"', "claws"),
        ('[said]\n"Phase {phase}" = "{faze}"', "faze"),
        ('[said]\n"Phase {}" = "x"', "Phase {}"),
        ('[said]\n"{a} to {a}" = "x"', "{a} to {a}"),
        ("[site", "de.toml"),
        ("[site]\nlobby = 1", "de.toml"),
    ],
)
def test_a_wrong_translation_is_refused_at_the_start(tmp_path: Path, text: str, said: str) -> None:
    """With what is wrong in it, before a page fails for it."""
    with pytest.raises(SettingsError, match=re.escape(said)):
        written(tmp_path, text)


def test_what_services_say_is_translated_by_reason_and_event(tmp_path: Path) -> None:
    """With the fields of the event and the sentence of the service; what has no translation stays as the service says it."""
    known = written(
        tmp_path,
        '[refusal]\nnot_your_turn = "Nicht am Zug: {sentence}"\n[happened]\ntile_laid = "{company} legt {tile}"\n'
        '"signalbox.titles.g1824.v1.StacksLaid" = "Stapel"\nplayer_passed = "{player} passt"\n',
    )
    german, english = known.texts("de"), known.texts("en")
    refused, other = (Problem("", 422, "It is Bob's turn.", each) for each in ("not_your_turn", "no_money"))
    assert german.refusal(refused) == "Nicht am Zug: It is Bob's turn."
    assert german.refusal(other) == english.refusal(refused) == "It is Bob's turn."
    laid = events_pb2.GameEvent(tile_laid=events_pb2.TileLaid(company="BK", tile="57"))
    passed = events_pb2.GameEvent(player_passed=events_pb2.PlayerPassed(player="p1"))
    stacks = events_pb2.GameEvent()
    stacks.title_event.Pack(g1824.StacksLaid())
    said = [sentence_of(each, german.happened, {"p1": "Ann {x}"}) for each in (laid, passed, stacks)]
    assert said == ["BK legt 57", "Ann {x} passt", "Stapel"]
    assert sentence_of(laid, english.happened, {}) is None
    assert sentence_of(events_pb2.GameEvent(turn_ended=events_pb2.TurnEnded()), german.happened, {}) is None


def test_what_services_say_is_translated_by_its_words(tmp_path: Path) -> None:
    """With what differs from time to time; of two that fit, by the one with more words of its own. Drawings are translated as
    well, and only what is written in them."""
    known = written(
        tmp_path,
        '[said]\n"stock round" = "Aktienrunde"\n"{who} gave {what}" = "{who} gab {what}"\n'
        '"{who} gave {sum} to {whom}: {why}" = "{whom} bekam {sum} von {who}"\n"R & D" = "F < E"\n',
    )
    said, plain = known.texts("de").said, known.texts("en").said
    for text, wanted in (
        ("stock round", "Aktienrunde"),
        ("Ann {x} gave 5\nshares", "Ann {x} gab 5\nshares"),
        ("Ann gave 40 to bank: tile", "bank bekam 40 von Ann"),
        ("Ann gave", "Ann gave"),
    ):
        assert (said(text), plain(text)) == (wanted, text)
    drawing = '<text id="stock round">stock round</text><title>R &amp; D</title><text>12</text>'
    assert said.in_drawing(drawing) == (
        '<text id="stock round">Aktienrunde</text><title>F &lt; E</title><text>12</text>'
    )
    assert plain.in_drawing(drawing) == drawing
    refused = Problem("", 422, "Ann gave 40 to bank: tile", "no_such_reason")
    assert known.texts("de").refusal(refused) == "bank bekam 40 von Ann"


def test_the_folder_has_to_be_there(tmp_path: Path) -> None:
    """Of translations."""
    variable = "SIGNALBOX_WEB_TRANSLATIONS"
    assert load_web_settings({variable: str(tmp_path)}).translations == str(tmp_path)
    with pytest.raises(SettingsError, match=variable):
        load_web_settings({variable: str(tmp_path / "none")})


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """A host with a second language."""
    folder = translate(tmp_path_factory.mktemp("translations"))
    settings = WebSettings(translations=str(folder))
    with web_serving(tmp_path_factory.mktemp("languages"), settings) as running:
        yield running


@pytest.fixture(scope="module")
def paths(web: Web) -> tuple[Person, list[str]]:
    """Somebody, and the main pages that there are for that person."""
    ann, ben = Person(web, "Ann"), Person(web, "Ben")
    played = game_of(web, [ann.token, ben.token], options=["cisleithania"])
    game = f"/games/{played.game}"
    own = [game, f"{game}/between?from=1", f"{game}/worth", f"{game}/holders/bank", f"/tables/{played.table}"]
    others = ["/", "/lobby", "/tables/new", "/tables/new?title=1824", "/account", "/events", "/events/new"]
    return ann, [*own, *others, f"/tables/{played.table}/join?link=0"]


@pytest.mark.integration
def test_no_english_text_is_left_on_the_main_pages(web: Web, paths: tuple[Person, list[str]]) -> None:
    """In a language that the browser asks for; and the page says which it is."""
    ann, main = paths
    english = set(english_texts())
    for path in main:
        page = web.ask("GET", path, Cookie=ann.cookie, Accept_Language=f"{TAG}, en;q=0.5")
        assert page.status == 200, path
        text = page.body.decode()
        assert f'<html lang="{TAG}"' in text, path
        assert english.intersection(read_on(text)) == set(), path
    for path in ("/", "/sign-in", "/register", "/nothing/here", "/tables/none"):
        page = web.ask("GET", path, Accept_Language=TAG, Accept="text/html").body.decode()
        assert f'<html lang="{TAG}"' in page, path
        assert english.intersection(read_on(page)) == set(), path


# What was translated as a whole; ids, titles and symbols of companies, scopes and clauses, the same in every language.
SAME = re.compile(
    r"⟦[^⟧]*⟧|\b[a-z0-9]{20,}\b|\b[a-z]+:[a-z*]+|\b\d+/[\w.-]+|\b[A-Z]{3}\b|18xx[.]games|Runde 1.1 beginnt"
)
PLAIN_WORD = re.compile(r"[A-Za-z]{3,}")


@pytest.mark.integration
def test_every_text_of_a_page_comes_from_the_catalogue(web: Web, paths: tuple[Person, list[str]]) -> None:
    """Also what services say and titles print: statements, the picture, options, rulings. What is left are names."""
    ann, main = paths
    titles = web.ask("GET", f"{RULES}/ListTitles").body["titles"]
    names = NAMES.union(each["title"] for each in titles)
    names |= set(PLAIN_WORD.findall(" ".join(available_timezones())))
    left = set()
    for path in main:
        page = web.ask("GET", path, Cookie=ann.cookie, Accept_Language=TAG).body.decode()
        for text in read_on(page):
            left |= {(path, each, text) for each in PLAIN_WORD.findall(SAME.sub("", text))}
    assert {each for each in left if each[1] not in names} == set()


@pytest.mark.integration
def test_a_language_is_chosen_and_kept(web: Web, paths: tuple[Person, list[str]]) -> None:
    """In a cookie; what replaces parts of a page is in the same one."""
    ann, (game, *_) = paths
    page = ann.page("/")
    assert '<html lang="en"' in page and f'value="{TAG}"' in page
    answer = ann.send("/language", language=TAG)
    kept = answer.headers["set-cookie"].partition(";")[0]
    assert (answer.status, kept) == (303, f"signalbox_language={TAG}")
    both = f"{ann.cookie}; {kept}"
    assert f'<html lang="{TAG}"' in web.ask("GET", game, Cookie=both).body.decode()
    changed = web.ask("GET", f"{game}/changes?known=1", Cookie=both).body["panels"]
    english = web.ask("GET", f"{game}/changes?known=1", Cookie=ann.cookie).body["panels"]
    heading = Texts()("game.companies")
    assert heading in english and heading not in changed
    for path in (game, f"{game}/between?from=1"):
        log = web.ask("GET", path, Cookie=both).body.decode()
        assert re.search("Runde 1[.]1 beginnt", log) and "round 1.1 begins" not in log
        assert "round 1.1 begins" in ann.page(path)
    at = re.findall(r'data-sequence="([0-9]+)"', ann.page(game))[0]
    back = {"csrf": ann.csrf, "request_id": "back", "sequence": at, "to_sequence": "999999"}
    form = urlencode(back).encode()
    refused = web.ask("POST", f"{game}/undo", form, Content_Type=FORM, Cookie=both).body.decode()
    assert re.search(r"Zurück geht es nicht \(\S", refused)
    unknown = ann.send("/language", language="nothing")
    assert 'signalbox_language="";' in unknown.headers["set-cookie"]
    form = urlencode({"language": TAG, "csrf": "0" * 32}).encode()
    assert web.ask("POST", "/language", form, Content_Type=FORM, Cookie=ann.cookie).status == 403
    assert CSRF.findall(page)
