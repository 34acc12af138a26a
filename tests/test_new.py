"""kata new: three files that verify as they stand."""

from pathlib import Path

import pytest

from kata import track
from kata.errors import KataError
from kata.new import MARK, create, unfinished
from kata.verify import verify


def test_a_new_problem_verifies_as_it_stands(tmp_path: Path) -> None:
    paths = create(tmp_path / "course", 7, "my_scale")
    assert [path.parent.name for path in paths] == ["problems", "solutions", "grader"]
    rows = list(verify(track.grader(track.find(tmp_path / "course", "7")), 2))
    assert all(row.ok for row in rows), [row for row in rows if not row.ok]
    assert any(row.subject == "unfinished" and MARK in row.outcome for row in rows)
    assert len(unfinished(paths)) > 10 and unfinished(paths)[0].startswith("problems/07_my_scale.py:")


@pytest.mark.parametrize("slug", ["My", "2fast", "a-b", "", "über", "x" + "/y"])
def test_a_slug_must_name_a_function(tmp_path: Path, slug: str) -> None:
    with pytest.raises(KataError, match="can't name a function"):
        create(tmp_path, 7, slug)
    assert not list(tmp_path.iterdir())


def test_a_number_is_given_once(tmp_path: Path) -> None:
    create(tmp_path, 7, "one")
    with pytest.raises(KataError, match="already has the number 7"):
        create(tmp_path, 7, "two")
