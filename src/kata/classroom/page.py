"""Pages of their own: HTML without any request, with a policy that lets nothing run but what is written here."""

import base64
import hashlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup, escape

from kata.classroom.feedback import Feedback
from kata.classroom.overview import Overview

TEMPLATES = Path(__file__).resolve().parent / "templates"


def report(course: str, parts: Sequence[Overview], faults: Sequence[str], anonymous: bool) -> str:
    """The class report."""
    return _page("report.html", "report.js", course=course, parts=parts, faults=faults, anonymous=anonymous)


def feedback(course: str, told: Feedback) -> str:
    """What one student is told."""
    return _page("feedback.html", None, course=course, told=told)


def _page(template: str, script: str | None, **values: Any) -> str:
    style = (TEMPLATES / "style.css").read_text("utf-8")
    code = (TEMPLATES / script).read_text("utf-8") if script else ""
    safe = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    safe.filters["prose"] = prose
    policy = f"default-src 'none'; style-src {source_hash(style)}; base-uri 'none'; form-action 'none'"
    policy += f"; script-src {source_hash(code)}" if code else ""
    trusted = {name: Markup(text) for name, text in (("style", style), ("script", code))}
    return safe.get_template(template).render(policy=policy, **trusted, **values)


def prose(text: str) -> Markup:
    """A grader's sentences: `code` and *stress* are marked up, everything else is text."""
    told = re.sub(r"`([^`\n]+)`", r"<code>\1</code>", str(escape(text)))
    return Markup(re.sub(r"(?<![\w*])\*([^*\s](?:[^*\n]*[^*\s])?)\*(?![\w*])", r"<em>\1</em>", told))


def source_hash(text: str) -> str:
    """How a content security policy names a script or style that may run."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
