"""The class report in a real browser: Debian's chromium (`apt-get install chromium`), driven by Playwright."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kata.classroom import out
from kata.classroom.desk import Desk
from tests.classroom.class_of import graded
from tests.classroom.test_page import EVIL, hostile

CHROMIUM = "/usr/bin/chromium"
OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-proxy-server"]
pytestmark = pytest.mark.slow


class Seen:
    """A page in a browser, with everything that it asked for or complained about."""

    def __init__(self, page: Any) -> None:
        self.page, self.requests, self.said = page, list[str](), list[str]()
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("console", lambda message: self.said.append(message.text))
        page.on("pageerror", lambda error: self.said.append(str(error)))
        page.on("dialog", self._dialog)

    def _dialog(self, dialog: Any) -> None:
        self.said.append(dialog.message)
        dialog.dismiss()

    def open(self, path: Path) -> Any:
        self.page.goto(path.as_uri())
        self.page.wait_for_load_state("networkidle")
        return self.page


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        yield started
        started.close()


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("browser")
    with Desk(str(graded(folder / "class"))) as at:
        out.report(at, folder / "report.html", anonymous=False, with_code=True)
        out.export(at, "feedback", at.room.assignment(None), folder / "feedback", None, "")
    return folder


def quiet(seen: Seen) -> None:
    """The page asked for nothing but itself, and had nothing to say."""
    assert len(seen.requests) == 1 and seen.requests[0].startswith("file://")
    assert seen.said == []


def test_the_report_of_the_example(browser: Any, example: Path) -> None:
    seen = Seen(browser.new_page())
    page = seen.open(example / "report.html")
    assert page.title() == "Inside attention, autumn 2026"
    assert page.locator("h3").all_inner_texts()[0] == "Distribution"
    assert "window plus one" in page.locator(".misconceptions").inner_text()
    assert page.evaluate("getComputedStyle(document.body).maxWidth") != "none", "our own style is let in"
    quiet(seen)


def test_tables_sort_by_mouse_and_keyboard(browser: Any, example: Path) -> None:
    seen = Seen(browser.new_page())
    page = seen.open(example / "report.html")
    table = page.get_by_role("region", name="Marks of week-3")

    def marks() -> list[float]:
        cells = table.locator("tbody tr td:nth-of-type(2)").all_inner_texts()
        return [float(text or -1) for text in cells]

    table.get_by_role("button", name="Mark").click()
    assert marks() == sorted(marks())
    page.keyboard.press("Enter")
    assert marks() == sorted(marks(), reverse=True) and marks()[0] == 10.5
    head = table.locator("th", has_text="Mark").first
    assert head.get_attribute("aria-sort") == "descending"
    quiet(seen)


def test_a_keyboard_and_a_screen_reader_get_everywhere(browser: Any, example: Path) -> None:
    page = Seen(browser.new_page()).open(example / "report.html")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "To the content"
    assert page.locator("html").get_attribute("lang") == "en"
    assert page.locator("svg[role=img]").first.get_attribute("aria-label", timeout=1000).startswith("Marks by tenths")
    assert page.locator("table th:not([scope])").count() == 0
    assert page.locator(".scroll:not([tabindex='0'])").count() == 0
    assert page.get_by_role("navigation", name="Assignments").count() == 1


def test_a_phone_scrolls_only_its_tables(browser: Any, example: Path) -> None:
    page = browser.new_page(viewport={"width": 360, "height": 740})
    Seen(page).open(example / "report.html")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_phone_shows_checks_beside_names_and_whole_words(browser: Any, example: Path) -> None:
    """However long the longest name is, half of the width is left for the checks; states and times stay on one line."""
    page = browser.new_page(viewport={"width": 360, "height": 740})
    Seen(page).open(example / "report.html")
    widths = page.locator(".heat tbody th").evaluate_all("heads => heads.map((head) => head.offsetWidth)")
    assert len(widths) == 42 and max(widths) < 180
    lines = page.locator("td.whole, td.number").evaluate_all(
        "cells => cells.map((cell) => { const r = document.createRange(); r.selectNodeContents(cell);"
        " return new Set([...r.getClientRects()].map((box) => box.top)).size })"
    )
    assert max(lines) == 1


def test_heads_and_names_stay_in_sight(browser: Any, example: Path) -> None:
    """A table scrolls in its own region, under its heads and beside its names."""
    page = Seen(browser.new_page()).open(example / "report.html")
    region = page.get_by_role("region", name="Students and checks of week-3")
    region.evaluate("part => part.scrollTo(400, 400)")
    edge = region.bounding_box()
    head, name = (region.locator(part).last.bounding_box() for part in ("thead th", "tbody th"))
    assert abs(head["y"] - edge["y"]) < 3 and abs(name["x"] - edge["x"]) < 3


def test_paper_shows_every_column(browser: Any, example: Path) -> None:
    page = browser.new_page(viewport={"width": 1047, "height": 700})  # A4 across, less its margins
    page.emulate_media(media="print")
    Seen(page).open(example / "report.html")
    assert page.evaluate("document.documentElement.scrollWidth") <= 1047
    assert max(page.locator("table").evaluate_all("tables => tables.map((table) => table.scrollWidth)")) <= 1047


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_colour_of_text_can_be_read(browser: Any, example: Path, scheme: str) -> None:
    """WCAG's contrast of 4.5 or more, for each colour of text on both backgrounds."""
    page = browser.new_page(color_scheme=scheme)
    Seen(page).open(example / "report.html")
    told = page.evaluate(
        "() => Object.fromEntries(['ink', 'soft', 'good', 'bad', 'accent', 'paper', 'fill'].map((name) =>"
        " [name, getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim()]))"
    )
    for text in ("ink", "soft", "good", "bad", "accent"):
        for ground in ("paper", "fill"):
            low, high = sorted((luminance(told[text]), luminance(told[ground])))
            assert (high + 0.05) / (low + 0.05) >= 4.5, (text, ground)


def luminance(colour: str) -> float:
    """WCAG's relative luminance of #rgb or #rrggbb."""
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_paper_gets_a_pdf(browser: Any, example: Path) -> None:
    page = Seen(browser.new_page()).open(example / "report.html")
    assert page.pdf().startswith(b"%PDF")


def test_on_paper_an_assignment_begins_a_page_and_a_problem_does_not(browser: Any, example: Path) -> None:
    page = browser.new_page()
    page.emulate_media(media="print")
    Seen(page).open(example / "feedback" / "1017.html")
    begins = "(parts) => parts.map((part) => getComputedStyle(part).breakBefore)"
    assert set(page.locator("h2").evaluate_all(begins)) == {"auto"}
    Seen(page).open(example / "report.html")
    page.evaluate("() => { const first = document.querySelector('section'); first.after(first.cloneNode(true)); }")
    assert page.locator("section").evaluate_all(begins) == ["auto", "page"]


def test_feedback_opens_quietly(browser: Any, example: Path) -> None:
    for name in ("1033", "1039", "1003"):
        seen = Seen(browser.new_page())
        assert "week-3" in seen.open(example / "feedback" / f"{name}.html").title()
        quiet(seen)


def test_hostile_texts_do_nothing(browser: Any, root: Path, tmp_path: Path) -> None:
    (tmp_path / "r.html").write_text(hostile(root), "utf-8")
    seen = Seen(browser.new_page())
    page = seen.open(tmp_path / "r.html")
    for row in page.locator("td, th, summary").all()[:60]:
        row.hover()
    assert page.locator("h1").inner_text() == EVIL[0]
    assert page.locator("img").count() == 0
    quiet(seen)


def test_a_foreign_script_would_be_stopped(browser: Any, root: Path, tmp_path: Path) -> None:
    """The control: were a script to get in, the policy would keep it from running, and the test would see it."""
    text = hostile(root).replace(
        "</body>", "<script>document.title = 'owned'</script><img src='http://x.invalid/'></body>"
    )
    (tmp_path / "r.html").write_text(text, "utf-8")
    seen = Seen(browser.new_page())
    assert seen.open(tmp_path / "r.html").title() != "owned"
    assert any("Content Security Policy" in text for text in seen.said) and len(seen.requests) <= 2
