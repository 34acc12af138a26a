"""Where a learner stands: the list of problems, the summary by section, and the next one."""

from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from kata.screen.console import styled
from kata.screen.steps import Steps
from kata.standing import Standing, done
from kata.typed import typed

MARKS = {"untouched": ("○", "dim"), "tried": ("◐", "yellow"), "passed": ("✔", "green"), "complete": ("★", "bold green")}
WORDS = {"untouched": "", "passed": "passed", "complete": "craft complete"}
BAR = 20
TITLE, REST, FIXED = 48, 26, 20  # columns of the title at most, of the state at most, and of everything else


def listing(console: Console, root: Path, standings: list[Standing]) -> None:
    """Every problem, a line each, under its section."""
    state = min(REST, console.width // 4, max(told(s).cell_len for s in standings))
    width = min(TITLE, max(12, console.width - FIXED - state), max(len(s.title) for s in standings))
    for section in dict.fromkeys(s.section for s in standings):
        console.print(styled((section, "bold")))
        console.print(_rows([s for s in standings if s.section == section], width))
    console.print()
    next_one, any_one = (typed(root, "next"), "the problem to take up now"), (typed(root, "show NUMBER"), "any other")
    console.print(Steps(next_one, any_one, indent=2), crop=False)


def _rows(group: list[Standing], width: int) -> Table:
    table = Table.grid(padding=(0, 2), pad_edge=False)
    for least in (2, 3, width, 5):
        table.add_column(width=least, no_wrap=True, justify="right" if least == 3 else "left")
    table.add_column(overflow="fold")
    for s in group:
        mark, style = MARKS[s.state]
        table.add_row(Text(f" {mark}", style), str(s.number), s.title, "●" * s.level, told(s))
    return table


def told(s: Standing) -> Text:
    """The best score and the state of a problem; while it is open, what it builds on."""
    best = f"{s.best:g}/{s.of:g}" if s.tries and s.state != "complete" else ""
    after = f"after {', '.join(map(str, s.after))}" if s.after and not done(s) else ""
    state = ", ".join(filter(None, (best, words(s))))
    return styled(state, "  " if state and after else "", (after, "dim"))


def words(s: Standing) -> str:
    """The state of a problem in words."""
    parts = [WORDS.get(s.state) or (_count(s.tries, "try", "tries") if s.tries else "")]
    if s.solution_seen:
        parts.append("solution seen" if not s.gave_up else "solution seen before" if done(s) else "gave up")
    if s.outdated:
        parts.append("the grader has changed since: grade it again")
    return ", ".join(filter(None, parts))


def summary(console: Console, root: Path, standings: list[Standing], following: Standing | None) -> None:
    """How far every section is, and the whole."""
    width = max(len(s.section) for s in standings)
    for section in dict.fromkeys(s.section for s in standings):
        console.print(_bar(section, [s for s in standings if s.section == section], width))
    console.print(_bar("all", standings, width))
    console.print()
    console.print(styled(f"  {facts(standings)}"))
    if following is not None:
        show = typed(root, f"show {following.number}")
        console.print(Steps((show, f"next: {following.title}"), indent=2), crop=False)


def _bar(name: str, group: list[Standing], width: int) -> Text:
    passed, complete = sum(map(done, group)), sum(s.state == "complete" for s in group)
    full = BAR * passed // len(group)
    craft = f"   ★ {complete}" if complete else ""
    bar = ("█" * full, "green"), ("░" * (BAR - full), "dim")
    return styled((f"  {name:<{width}}  ", "bold" if name == "all" else ""), *bar, f" {passed}/{len(group)}{craft}")


def facts(standings: list[Standing]) -> str:
    """The whole record in one line."""
    tries, hints = sum(s.tries for s in standings), sum(s.hints for s in standings)
    quizzes = [s.quiz for s in standings if s.quiz.taken]
    parts = [_count(tries, "try", "tries"), _count(hints, "hint")]
    if quizzes:
        parts.append(f"quiz {sum(q.best for q in quizzes)}/{sum(q.of for q in quizzes)}")
    if seen := sum(s.solution_seen for s in standings):
        before = sum(s.gave_up for s in standings)
        parts.append(_count(seen, "worked answer") + " seen" + (f", {before} before a pass" if before else ""))
    return " · ".join(parts)


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


def proposal(console: Console, root: Path, following: Standing | None) -> None:
    """The next problem and what to type."""
    if following is None:
        console.print(styled(("  ★ Every problem is passed.", "bold green")))
        console.print(Steps((typed(root, "list"), "shows the craft that is left"), indent=2), crop=False)
        return
    n = following.number
    state = f"   {words(following)}" if following.state != "untouched" else ""
    console.print(styled((f"{n} · {following.title}", "bold"), (f"   {following.section}", "dim"), state))
    offers = (f"show {n}", "the statement"), (f"watch {n}", "grades every time you save")
    console.print(Steps(*((typed(root, command), what) for command, what in offers), indent=2), crop=False)
