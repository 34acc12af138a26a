"""The class report is one page that asks for nothing and believes nothing."""

import re
from html.parser import HTMLParser
from pathlib import Path

from markupsafe import escape
from msgspec.structs import replace

from kata import track
from kata.classroom import page
from kata.classroom.marks import marks
from kata.classroom.model import Course, Decision, Late, Student
from kata.classroom.overview import overview, people
from kata.model import Diagnosis
from tests.classroom.people import assignment, attempt, report

EVIL = [
    "</script><script>alert(1)</script>",
    '"><img src=http://evil.invalid/x onerror=alert(1)>',
    "{{ 7 * 7 }}{% raw %}",
    "</style><style>*{display:none}</style>",
    "javascript:alert(1)//",
    "' onmouseover='alert(1)",
    "<!--",
    "]]>\u2028",
]


def hostile(root: Path) -> str:
    """A report in which every text that a student can choose is hostile."""
    students = [Student(f"s{n}", evil) for n, evil in enumerate(EVIL)]
    tried = []
    for n, evil in enumerate(EVIL):
        bad = report(0.0, diagnoses=(Diagnosis(evil, evil, ()),))
        bad = replace(bad, findings=(replace(bad.findings[0], message=evil, output=evil, check=evil, promise=evil),))
        one = attempt(0.0, student=f"s{n}")
        tried.append(replace(one, answers=(replace(one.answers[0], path=evil, report=bad, content=f"{n}"),)))
    made = marks(Course("c", (assignment(),)), students, tried, ())
    sources = {f"{n}": evil.encode() for n, evil in enumerate(EVIL)}
    part = overview(assignment(), {7: track.find(root, "7")}, made, people(students), {}, sources)
    return page.report(EVIL[0], [part], EVIL, anonymous=False)


def one_absent(root: Path) -> str:
    """The report on somebody who handed nothing in."""
    student = Student("s1", "\u05d3\u05d5\u05d3")
    made = marks(Course("c", (assignment(),)), [student], [], ())
    part = overview(assignment(), {7: track.find(root, "7")}, made, people([student]), {}, {})
    return page.report("c", [part], [], anonymous=False)


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def test_nothing_of_a_student_becomes_a_tag(root: Path) -> None:
    text = hostile(root)
    tags = Tags()
    tags.feed(text)
    names = [tag for tag, _ in tags.found]
    assert names.count("script") == names.count("style") == 1 and "img" not in names
    attributes = {name for _, found in tags.found for name in found}
    assert not any(name.startswith("on") or name == "style" for name in attributes)
    links = {found[n] for _, found in tags.found for n in ("href", "src") if n in found}
    assert all(link and link.startswith("#") for link in links)
    assert "{{ 7 * 7 }}" in text and "49{%" not in text


def test_a_name_from_right_to_left_moves_nothing_beside_it(root: Path) -> None:
    """Wherever a name stands in a sentence it is a unit of its own for the order of letters."""
    text = hostile(root)
    assert all(f"<bdi>{escape(evil)}</bdi>" in text for evil in EVIL)
    assert len(re.findall(r"<li><bdi>[^<]*</bdi>: nothing handed in</li>", one_absent(root))) == 1


def test_the_policy_lets_only_our_own_lines_run(root: Path) -> None:
    text = hostile(root)
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', text)
    assert policy is not None
    told = policy[1].replace("&#39;", "'")
    assert told.startswith("default-src 'none'; style-src 'sha256-") and "unsafe" not in told and "http" not in told
    script = re.search(r"<script>(.*?)</script>", text, re.DOTALL)
    assert script is not None and page.source_hash(script[1]) in told
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)
    assert style is not None and page.source_hash(style[1]) in told


def test_prose_is_text_with_code_and_stress() -> None:
    assert page.prose("a `x<b>` and *so* 2 * 3 * 4") == "a <code>x&lt;b&gt;</code> and <em>so</em> 2 * 3 * 4"
    assert page.prose("`<script>` *<img>*") == "<code>&lt;script&gt;</code> <em>&lt;img&gt;</em>"


def test_what_a_mark_is_made_of_stands_beside_it(root: Path) -> None:
    crafty = attempt(9.0, 30)
    crafty = replace(crafty, answers=(replace(crafty.answers[0], report=report(10.0, craft=1, max_craft=4)),))
    course = Course("c", (assignment(craft_bonus=0.5),), late=Late("per_day", 0.1))
    added = (Decision("s1", "week-1", "adjustment", 1.5, "on paper"),)
    made = marks(course, [Student("s1", "Ana")], [crafty], added)
    part = overview(assignment(), {7: track.find(root, "7")}, made, people([Student("s1", "Ana")]), {}, {})
    table = page.report("c", [part], [], anonymous=False).partition("<h3>Marks</h3>")[2].partition("</table>")[0]
    heads = re.findall('<th scope="col">([^<]*)</th>', table)
    assert heads[2:7] == ["Mark", "Raw", "Craft", "Penalty", "Adjusted"]
    assert re.findall('<td class="number">([^<]*)</td>', table)[:5] == ["9.60", "10.00", "0.13", "2.03", "1.50"]
