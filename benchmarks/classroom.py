"""What grading a whole class costs, against one pytest process a submission and against the bare CPU time.

    python benchmarks/classroom.py [a] [b] [--sizes 20,200,2000] [--rounds 5]

(a) Five small checks (benchmarks/five) at the best sandbox of this machine against one `python -m pytest` process for
each submission with the same checks. (b) Problem 29 complete: wall time on all cores against the CPU seconds that judge
and answers take in a single process. 70 % of each class is right; no two files are the same.
"""

import argparse
import json
import os
import resource
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
KATA = [sys.executable, "-P", "-m", "kata", "classroom"]
COURSE = """name = "Benchmark"
track = "{track}"
sandbox = "process"
[[assignment]]
name = "bench"
problems = {{ {number} = 1 }}
"""
ALONE = """
import json, sys, time, torch
torch.set_num_threads(1)
from pathlib import Path
from kata import track
from kata.diagnose import Doctor
from kata.inline import Functions, Inline
from kata.judge import Judge
from kata.zygote.source import Source, compiled, explain, load
root, number, folder = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
problem = track.find(root, number)
grader = track.grader(problem)
torch.ones(2, device="meta") + 1  # a class makes calls on the meta device, and this imports what they need
judge = Judge(grader, 1, track.parameters(problem), warm=True)
start = time.process_time()
passed = 0
for path in sorted(folder.rglob("*.py")):
    source = Source(path.read_bytes(), path.name, problem.functions, track.parameters(problem))
    code = compiled(source)
    trials = list(judge.trials(Inline(lambda: load(source, code), path.name)))
    Doctor(judge, trials).diagnoses()
    passed += all(t.finding.verdict == "passed" for t in trials if t.check.tier == "required")
print(json.dumps([time.process_time() - start, time.process_time(), passed]))
"""


def write_class(folder: Path, right: str, wrong: list[str], file: str, size: int) -> Path:
    """A class of this size, 70 % of it right, each with a file of their own."""
    for n in range(size):
        (folder / f"u{n}").mkdir(parents=True)
        text = right if n % 10 < 7 else wrong[n % len(wrong)]
        (folder / f"u{n}" / file).write_text(f"{text}\n# {n}\n", "utf-8")
    return folder


class Watch(threading.Thread):
    """Watches the memory (proportional share, MiB) and the CPU seconds of a process and all that descend from it."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self.pid, self.peak, self.cpu = pid, 0.0, 0.0

    def run(self) -> None:
        while Path(f"/proc/{self.pid}").exists():
            family = _family(self.pid)
            self.cpu = max(self.cpu, sum(map(_cpu, family)))  # of what has ended, its parent tells
            self.peak = max(self.peak, sum(map(_pss, family)))
            time.sleep(0.2)


def _cpu(pid: int) -> float:
    """Seconds of a process and of its children that have been waited for."""
    try:
        facts = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, facts[11:15])) / os.sysconf("SC_CLK_TCK")


def _family(pid: int) -> list[int]:
    found = [pid]
    for parent in found:
        try:
            found += map(int, Path(f"/proc/{parent}/task/{parent}/children").read_text().split())
        except OSError:
            continue
    return found


def _pss(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024
    except (OSError, StopIteration):
        return 0.0


def grade(work: Path, track: Path, number: int, submissions: Path, size: int) -> tuple[float, float, float, int]:
    """Wall seconds, CPU seconds and peak MiB of `kata classroom grade`, and how many passed."""
    room = work / f"class{size}"
    subprocess.run([*KATA, "init", str(room)], check=True, stdout=subprocess.DEVNULL)
    (room / "course.toml").write_text(COURSE.format(track=track, number=number))
    (room / "roster.csv").write_text("id\n" + "".join(f"u{n}\n" for n in range(size)))
    start = time.perf_counter()
    process = subprocess.Popen([*KATA, "grade", str(submissions), "-C", str(room)], stdout=subprocess.PIPE, cwd=work)
    watch = Watch(process.pid)
    watch.start()
    process.communicate()
    wall = time.perf_counter() - start
    assert process.returncode == 0, "every submission is graded, without a fault of ours"
    with sqlite3.connect(room / "gradebook.db") as db:
        reports = [json.loads(text) for (text,) in db.execute("SELECT report FROM results")]
    assert len(reports) == size, "none is lost"
    return wall, watch.cpu, watch.peak, sum(report["passed"] for report in reports)


def one_by_one(work: Path, submissions: Path, count: int) -> tuple[float, float]:
    """Wall and CPU seconds of a submission in a `python -m pytest` process of its own (medians)."""
    seconds, used = [], []
    for folder in sorted(submissions.iterdir(), key=lambda path: int(path.name[1:]))[:count]:
        place = work / "pytest" / folder.name
        place.mkdir(parents=True)
        shutil.copyfile(next(folder.glob("*.py")), place / "rms_norm.py")
        shutil.copyfile(ROOT / "benchmarks" / "five_pytest.py", place / "test_five.py")
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(place), str(place)]
        code = subprocess.run(words, cwd=place, stdout=subprocess.DEVNULL).returncode
        assert code == (0 if int(folder.name[1:]) % 10 < 7 else 1), "both graders agree"
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds.append(time.perf_counter() - start)
        used.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(seconds), statistics.median(used)


def small_checks(work: Path, sizes: list[int], rounds: int) -> None:
    """(a)"""
    track = ROOT / "benchmarks" / "five"
    right = (track / "solutions" / "01_rms_norm.py").read_text("utf-8")
    wrong = [
        right.replace("torch.rsqrt(", "1 / ("),
        right.replace(".mean(", ".sum("),
        right.replace("* weight", "+ weight"),
    ]
    for size in sizes:
        submissions = write_class(work / f"a{size}", right, wrong, "01_rms_norm.py", size)
        first = one_by_one(work / f"p{size}a", submissions, rounds)
        wall, cpu, peak, passed = grade(work, track, 1, submissions, size)
        again = one_by_one(work / f"p{size}b", submissions, rounds)  # before and after: a busy machine is busy for both
        theirs, used = ((one + other) / 2 for one, other in zip(first, again, strict=True))
        assert passed == sum(n % 10 < 7 for n in range(size))
        print(
            f"(a) {size:>5} submissions: {wall:7.1f} s, {1000 * wall / size:6.1f} ms each "
            f"(CPU {1000 * cpu / size:.1f} ms, peak {peak:.0f} MiB); pytest {1000 * theirs:.0f} ms each (CPU "
            f"{1000 * used:.0f} ms): {theirs * size / wall:.0f} × as fast, {used * size / cpu:.0f} × less CPU",
            flush=True,
        )


def problem_29(work: Path, sizes: list[int], rounds: int) -> None:
    """(b)"""
    name = "29_rotary_positional_embeddings"
    right = (ROOT / "solutions" / f"{name}.py").read_text("utf-8")
    learners = sorted((ROOT / "tests" / "learners" / name / "wrong").glob("*.py"))
    wrong = [path.read_text("utf-8") for path in learners[:: max(1, len(learners) // 12)]]
    for size in sizes:
        submissions = write_class(work / f"b{size}", right, wrong, f"{name}.py", size)
        words = [sys.executable, "-c", ALONE, str(ROOT), "29", str(submissions)]
        environment = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
        done = subprocess.run(words, check=True, capture_output=True, env=environment)
        alone, whole, passed_alone = json.loads(done.stdout)
        wall, cpu, peak, passed = grade(work, ROOT, 29, submissions, size)
        assert passed == passed_alone
        print(
            f"(b) {size:>5} submissions: {wall:7.1f} s on {len(os.sched_getaffinity(0))} cores, CPU in one process "
            f"{alone:.1f} s: {wall / alone:.2f} × ({wall / whole:.2f} × with its import of torch; all together "
            f"used {cpu:.1f} s, {1000 * wall / size:.0f} ms each, peak {peak:.0f} MiB)",
            flush=True,
        )


def main() -> None:
    """Runs what is asked for and prints a line for each size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", default=["a", "b"], choices=("a", "b"))
    parser.add_argument("--sizes", default="20,200,2000")
    parser.add_argument("--rounds", type=int, default=5, help="pytest processes before and after each size")
    asked = parser.parse_args()
    sizes = [int(size) for size in asked.sizes.split(",")]
    with tempfile.TemporaryDirectory() as folder:
        for part, run in (("a", small_checks), ("b", problem_29)):
            if part in asked.parts:
                (work := Path(folder) / part).mkdir()
                run(work, sizes, asked.rounds)


if __name__ == "__main__":
    main()
