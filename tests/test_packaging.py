"""What is installed: editable, as a wheel and as a wheel from the sdist; each grades in a stranger's folder."""

import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from email.parser import Parser
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec
import pytest

import kata
from kata.zygote.start import TORCH
from tests import real
from tests.real import ROOT

SHELVES = ("problems", "solutions", "grader")
SOURCES = ("pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "src", *SHELVES)
NUMBER = 4
NAME = "04_sliding_window_mask.py"


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def packages_of(source: Path) -> set[str]:
    """Every package below src/, by the files that are there."""
    return {".".join(p.parent.relative_to(source).parts) for p in source.rglob("*.py")}


def test_every_package_is_listed() -> None:
    listed = project()["tool"]["setuptools"]["packages"]
    assert len(listed) == len(set(listed))
    assert set(listed) == packages_of(ROOT / "src") | {f"kata.shelf.{shelf}" for shelf in SHELVES}


def test_data_files_of_the_package_are_listed() -> None:
    patterns = project()["tool"]["setuptools"].get("package-data", {})
    for file in (ROOT / "src" / "kata").rglob("*"):
        if not file.is_file() or file.suffix in (".py", ".pyc"):
            continue
        listed = [
            file.match(f"{package.replace('.', '/')}/{pattern}") for package, its in patterns.items() for pattern in its
        ]
        assert any(listed), f"{file.relative_to(ROOT)} is in no package-data"


def test_version_and_bounds_agree() -> None:
    facts = project()["project"]
    assert facts["version"] == kata.__version__ == version("torch-kata")
    assert f"torch>={'.'.join(map(str, TORCH))}" in facts["dependencies"]


def test_constraints_pin_all_that_ci_installs() -> None:
    pinned = {
        line.split("==")[0].lower() for line in (ROOT / "constraints.txt").read_text().splitlines() if "==" in line
    }
    facts = project()["project"]
    for need in (*facts["dependencies"], *facts["optional-dependencies"]["dev"]):
        name = need.split(";")[0].split(">")[0].split("=")[0].split("[")[0].strip().lower()
        assert name in pinned, f"{name} is not in constraints.txt"


# ── Real installations ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="session")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources alone, as a fresh clone holds them, so that nothing stale can slip in or be left behind."""
    made = tmp_path_factory.mktemp("clone") / "kata"
    made.mkdir()
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, made / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        else:
            shutil.copy2(ROOT / name, made / name)
    return made


def build(source: Path, to: Path, kind: str) -> Path:
    """Builds a wheel or an sdist with the setuptools that is installed."""
    program = f"import setuptools.build_meta as b; print(b.build_{kind}({str(to)!r}))"
    done = subprocess.run([sys.executable, "-c", program], cwd=source, text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    return to / done.stdout.split()[-1]


@pytest.fixture(scope="session")
def wheel(clone: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(clone, tmp_path_factory.mktemp("wheel"), "wheel")


@pytest.fixture(scope="session")
def wheel_from_sdist(clone: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sdist")
    sdist = build(clone, folder, "sdist")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder / "unpacked", filter="data")
    (unpacked,) = (folder / "unpacked").iterdir()
    return build(unpacked, folder, "wheel")


def environment(home: Path) -> Path:
    """A fresh environment that sees the dependencies of this one, but not its kata; its python."""
    venv.create(home, symlinks=True)
    mine = next((home / "lib").glob("python*")) / "site-packages"
    theirs = Path(msgspec.__file__).parents[1]
    for entry in theirs.iterdir():
        skipped = entry.suffix == ".pth" or "torch_kata" in entry.name or entry.name in ("kata", "__pycache__")
        if not skipped:
            (mine / entry.name).symlink_to(entry)
    return home / "bin" / "python"


def install(python: Path, *what: str | Path) -> None:
    """pip, without a network: the dependencies are there already."""
    command = [python, "-m", "pip", "install", "--no-deps", "--no-index", "--no-build-isolation", "-q", *what]
    done = subprocess.run(command, text=True, capture_output=True, check=False, env=clean())
    assert done.returncode == 0, done.stderr


def clean() -> dict[str, str]:
    """The environment without a PYTHONPATH that leads to this checkout."""
    return {name: value for name, value in real.environment().items() if name != "PYTHONPATH"}


def grades_for_a_stranger(python: Path, folder: Path) -> None:
    """The installed script and module grade a file in a folder that is full of traps."""
    folder.mkdir()
    answer = (ROOT / "solutions" / NAME).read_text("utf-8")
    (folder / NAME).write_text(answer, "utf-8")
    for name in ("torch", "numpy", "socket", "kata", "click", "msgspec", "rich"):
        (folder / f"{name}.py").write_text("raise SystemExit('the wrong file was imported')\n")
    before = sorted(p.name for p in folder.iterdir())
    for launcher in ([str(python.with_name("kata"))], [str(python), "-P", "-m", "kata"]):
        command = [*launcher, "grade", str(NUMBER)]
        done = subprocess.run(command, cwd=folder, env=clean(), text=True, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        assert "✔ passed" in done.stdout
    listed = subprocess.run([python.with_name("kata"), "list"], cwd=folder, env=clean(), text=True, capture_output=True)
    assert "Sliding-window mask" in listed.stdout
    assert sorted(p.name for p in folder.iterdir()) == before


def home_of(python: Path) -> Path:
    """Where the installed kata lies."""
    program = "import kata; print(kata.__file__)"
    done = subprocess.run(
        [python, "-P", "-c", program], env=clean(), text=True, capture_output=True, check=True, cwd="/"
    )
    return Path(done.stdout.strip()).parent


@pytest.mark.slow
def test_the_wheel_holds_all_and_nothing_else(wheel: Path, wheel_from_sdist: Path) -> None:
    wanted = {
        str(Path("kata") / file.relative_to(ROOT / "src" / "kata"))
        for file in (ROOT / "src" / "kata").rglob("*")
        if file.is_file() and file.suffix != ".pyc"
    }
    wanted |= {f"kata/shelf/{shelf}/{file.name}" for shelf in SHELVES for file in (ROOT / shelf).glob("*.py")}
    for built in (wheel, wheel_from_sdist):
        with zipfile.ZipFile(built) as archive:
            names = {name for name in archive.namelist() if ".dist-info/" not in name}
            metadata = next(name for name in archive.namelist() if name.endswith("/METADATA"))
            facts = Parser().parsestr(archive.read(metadata).decode())
        assert names == wanted
        assert built.name.startswith(f"torch_kata-{kata.__version__}-py3-none-any")
        assert (facts["Name"], facts["Version"]) == ("torch-kata", kata.__version__)
        assert facts["License-Expression"] == "MIT"
        assert "kata grade" in str(facts.get_payload())


@pytest.mark.slow
def test_the_wheel_grades(wheel: Path, tmp_path: Path) -> None:
    python = environment(tmp_path / "venv")
    install(python, wheel)
    assert home_of(python).is_relative_to(tmp_path)
    assert (home_of(python) / "shelf" / "grader" / NAME).is_file()
    grades_for_a_stranger(python, tmp_path / "stranger")


@pytest.mark.slow
def test_the_wheel_from_the_sdist_grades(wheel_from_sdist: Path, tmp_path: Path) -> None:
    python = environment(tmp_path / "venv")
    install(python, wheel_from_sdist)
    assert home_of(python).is_relative_to(tmp_path)
    grades_for_a_stranger(python, tmp_path / "stranger")


@pytest.mark.slow
def test_the_editable_installation_grades_and_follows_the_sources(clone: Path, tmp_path: Path) -> None:
    source = tmp_path / "source"
    shutil.copytree(clone, source)
    python = environment(tmp_path / "venv")
    install(python, "-e", source)
    assert home_of(python) == source / "src" / "kata"
    grades_for_a_stranger(python, tmp_path / "stranger")
    for shelf in SHELVES:
        (source / shelf / "98_added.py").write_bytes((source / shelf / NAME).read_bytes())
    listed = subprocess.run([python.with_name("kata"), "list"], cwd="/", env=clean(), text=True, capture_output=True)
    assert " 98 " in listed.stdout or "98" in listed.stdout.split()
    assert not (source / "src" / "kata" / "shelf").exists()
    assert os.environ.get("KATA_TRACK") is None
