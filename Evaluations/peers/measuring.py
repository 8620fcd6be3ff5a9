"""What the comparisons share: processes that are timed, medians, tables, and the folder in which a run is kept."""

import datetime
import json
import os
import pathlib
import re
import statistics
import subprocess
import tempfile
import time


class Outcome:
    """One process: its wall-clock seconds, its peak resident memory in megabytes, and what it printed."""

    def __init__(self, seconds, megabytes, output):
        self.seconds, self.megabytes, self.output = seconds, megabytes, output

    @property
    def json(self):
        return json.loads(self.output)


def run(command):
    """Runs a command to its end; one that fails ends the comparison.

    The peak of a process that Linux has just made counts the pages of the one that made it, so nothing reads lower than this
    script's own memory: keep it small where memory is the question.
    """
    with tempfile.TemporaryFile() as output:
        began = time.monotonic()
        process = subprocess.Popen([str(word) for word in command], stdout=output, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"{pathlib.Path(command[0]).name} {command[1]} exited with {process.returncode}")
        output.seek(0)
        return Outcome(seconds, usage.ru_maxrss / 1000, output.read())


def in_turns(works, rounds):
    """Calls every function once a round, so that what else the machine does burdens all alike; the first round isn't kept.

    Returns the results of each function, in the order of the rounds.
    """
    results = {name: [] for name in works}
    for number in range(rounds + 1):
        for name, work in works.items():
            result = work()
            if number:
                results[name].append(result)
    return results


median = statistics.median


def table(head, rows):
    """Lines of a Markdown table; all but the first column are numbers."""
    lines = ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)]
    return lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]


def machine():
    processor = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
    return {"name": f"{os.cpu_count()}-core-linux", "cores": os.cpu_count(), "memory_gb": round(memory),
            "processor": processor.group(1) if processor else ""}


def commit():
    def git(*words):
        return subprocess.run(["git", *words], capture_output=True, text=True).stdout.strip()
    return (git("rev-parse", "--short", "HEAD") or "unknown") + ("-dirty" if git("status", "--porcelain", "-uno") else "")


def keep(runs, name, command, report, lines):
    """Prints the lines; with a folder, keeps the figures as JSON and the lines as a section of the run's README."""
    print("\n".join(lines))
    if not runs:
        return
    here = machine()
    folder = pathlib.Path(runs) / f"{datetime.date.today()}-{here['name']}"
    folder.mkdir(parents=True, exist_ok=True)
    started = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")
    file = name.replace(" ", "-") + ".json"
    report = {"command": command, "commit": commit(), "machine": here, "finished_at": started, **report}
    (folder / file).write_text(json.dumps(report, sort_keys=True) + "\n")
    section = [f"- command: `{command}`", f"- commit: {report['commit']}, {started}",
               f"- machine: {here['cores']} cores, {here['processor']}, {here['memory_gb']} GB", "",
               f"Raw figures: `{file}`.", "", *lines]
    readme = folder / "README.md"
    before = readme.read_text() if readme.exists() else f"# Runs of {folder.name}\n"
    parts = [part for part in re.split(r"(?m)^(?=## )", before)]
    text = f"## {name}\n\n" + "\n".join(section) + "\n"
    places = [index for index, part in enumerate(parts) if part.startswith(f"## {name}\n")]
    if places:
        parts[places[0]] = text
    else:
        parts.append(text)
    readme.write_text("\n\n".join(part.rstrip("\n") for part in parts) + "\n")
