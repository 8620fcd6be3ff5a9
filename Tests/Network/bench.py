#!/usr/bin/env python3
"""Measures jobs over many simulated practices, and one practice that grows.

usage: bench.py VETNET FOLDER [--practices N] [--notes N] [--large N,N,…] [--imported FILE] [--report FILE]

Workers have one thread each. What is measured with one and with two workers is measured in one run, on fresh copies of the same files. "extrapolation"
is a calculation: what 1,000 practices of 100,000 notes would take, from what was measured here, each step by a line through its seconds with half of
the practices and with all. "gives_first" names which of the limits below the growing practice passes first.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import time

NOW = "2026-11-20T18:00:00Z"
NOTES_PER_PATIENT = 20
# What somebody who waits puts up with, and what a practice's machine has.
LIMITS = {"ask_seconds": 1.0, "list_seconds": 1.0, "whole_seconds": 2.0, "similar_seconds": 2.0, "status_seconds": 2.0, "similar_megabytes": 1000, "reindex_megabytes": 2000}
# The group that is calculated.
GROUP_PRACTICES, GROUP_NOTES = 1000, 100_000


def run(words):
    """Seconds, megabytes at most, and output of a program."""
    started = time.monotonic()
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    output, errors = process.stdout.read(), process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - started
    if os.waitstatus_to_exitcode(status) not in (0, 3):
        sys.exit(f"{' '.join(words)}\n{output}\n{errors}")
    return seconds, usage.ru_maxrss / 1024, output


def summary(output):
    return json.loads(output.strip().splitlines()[-1])


class Bench:
    def __init__(self, vetnet, folder):
        self.vetnet, self.folder, self.report = vetnet, folder, {}

    def note(self, **values):
        for key, value in values.items():
            self.report[key] = value
            print(f"{key}: {json.dumps(value)}", flush=True)

    def make(self, path, patients, seed):
        records = f"{self.folder}/records"
        run([self.vetnet, "simulate", "--patients", str(patients), "--seed", str(seed), "--notes-per-patient", str(NOTES_PER_PATIENT), "--until", "2026-11-20", "--out", records])
        run([self.vetnet, "init", "--practice", path, "--time-zone", "Europe/London", "--now", NOW])
        seconds, _, _ = run([self.vetnet, "import", records, "--practice", path, "--no-index", "--now", NOW])
        shutil.rmtree(records)
        return seconds

    def many(self, practices, notes):
        origin = f"{self.folder}/origin"
        os.makedirs(origin)
        for number in range(practices):
            path = f"{origin}/p{number:04d}.vetnet"
            self.make(path, max(1, notes // NOTES_PER_PATIENT), number + 1)
            for feature in ("share-terms", "share-cases", "share-figures"):
                run([self.vetnet, "config", "feature", feature, "on", "--practice", path])
        rates = {}
        for workers in (1, 2):
            folder = f"{self.folder}/practices"
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(origin, folder)
            seconds, _, output = run([self.vetnet, "network", "reindex", folder, "--all", "--workers", str(workers), "--json", "--now", NOW])
            found = summary(output)
            total = sum(practice["notes"] for practice in found["practices"])
            rates[workers] = total / seconds
            self.note(**{f"reindex_{workers}": {"workers": workers, "practices": practices, "notes": total, "seconds": round(seconds, 1), "notes_per_second": round(total / seconds), "worker_megabytes": round(found["peak_kilobytes"] / 1024)}})
        # The same without workers: what the engine itself costs.
        folder = f"{self.folder}/plain"
        shutil.copytree(origin, folder)
        plain = sum(run(["taskset", "-c", "0", self.vetnet, "reindex", "--all", "--practice", f"{folder}/{name}", "--now", NOW])[0] for name in sorted(os.listdir(folder)) if name.endswith(".vetnet"))
        shutil.rmtree(folder)
        self.note(efficiency=round(rates[2] / (2 * rates[1]), 2), engine_overhead=round(self.report["reindex_1"]["seconds"] / plain - 1, 3))
        practices_folder = f"{self.folder}/practices"
        out = f"{self.folder}/group.vnm"
        for name, words in {
            "model": ["model", "--out", out],
            "similar": ["similar", "--text", "old cat losing weight, ravenous, vomiting"],
            "pool": ["pool"],
        }.items():
            half = self.part(practices_folder, (practices + 1) // 2)
            less, _, _ = self.job(words, half)
            shutil.rmtree(half)
            seconds, driver, output = self.job(words, practices_folder)
            self.note(**{name: {"half_seconds": round(less, 2), "seconds": round(seconds, 2), "practices": [(practices + 1) // 2, practices], "driver_megabytes": round(driver), "worker_megabytes": round(summary(output)["peak_kilobytes"] / 1024)}})
        self.note(model_bytes=os.path.getsize(out))
        shutil.rmtree(practices_folder)
        shutil.rmtree(origin)

    def job(self, words, practices):
        return run([self.vetnet, "network", words[0], practices] + words[1:] + ["--workers", "2", "--json", "--now", NOW])

    def part(self, practices, count):
        """A folder with the first practices."""
        folder = f"{self.folder}/part"
        os.makedirs(folder)
        for name in sorted(name for name in os.listdir(practices) if name.endswith(".vetnet"))[:count]:
            for suffix in ("", ".audit-key"):
                shutil.copy(f"{practices}/{name}{suffix}", f"{folder}/{name}{suffix}")
        return folder

    def beyond(self):
        """A group of 1,000 practices of 100,000 notes, from what was measured: a calculation, no measurement."""
        one = self.report["reindex_1"]
        notes = GROUP_PRACTICES * GROUP_NOTES
        core_hours = {"reindex": one["seconds"] / one["notes"] * notes / 3600}
        # What a practice more costs two workers; as many notes more in it, as many times that.
        per_practice = one["notes"] / one["practices"]
        for name in ("model", "similar", "pool"):
            measured = self.report[name]
            fewer, all_of_them = measured["practices"]
            slope = max(0.0, measured["seconds"] - measured["half_seconds"]) / max(1, all_of_them - fewer)
            core_hours[name] = 2 * slope * GROUP_PRACTICES * (GROUP_NOTES / per_practice) / 3600
        most = max(core_hours, key=core_hours.get)
        efficiency = min(1, self.report["efficiency"])
        self.note(
            extrapolation={
                "assumes": "cores and disks like this machine's; each practice's file on its own worker's disk; time in proportion to a practice's notes (tables of terms and of the index grow slower, what they cost in a large file is under large_N); the driver's sums in proportion to practices; similar reads every practice",
                "practices": GROUP_PRACTICES,
                "notes": notes,
                "core_hours": {name: round(hours, 2) for name, hours in core_hours.items()},
                "hours_on_64_cores_at_measured_efficiency": {name: round(hours / 64 / efficiency, 3) for name, hours in core_hours.items()},
                "most_expensive": most,
            }
        )

    def gives_first(self, names):
        """In which of the large practices, the smallest first, which limit is passed, and by how much; the first of them."""
        for name in names:
            passed = {what: self.report[name][what] for what, most in LIMITS.items() if self.report[name][what] > most}
            if passed:
                first = max(passed, key=lambda what: passed[what] / LIMITS[what])
                return {"practice": name, "what": first, "measured": passed[first], "limit": LIMITS[first], "also": sorted(set(passed) - {first})}
        nearest = max(LIMITS, key=lambda what: self.report[names[-1]][what] / LIMITS[what])
        return {"what": "nothing up to the largest that was tried", "nearest": nearest, "limits": LIMITS}

    def large(self, sizes):
        for size in sizes:
            path = f"{self.folder}/large.vetnet"
            for suffix in ("", "-wal", "-shm", ".audit-key"):
                if os.path.exists(path + suffix):
                    os.unlink(path + suffix)
            seconds = self.make(path, size // NOTES_PER_PATIENT, 7)
            self.measure(f"large_{size}", path, import_seconds=round(seconds, 1))

    def least(self, *words):
        """Seconds of the quickest of three, megabytes of the largest."""
        runs = [run([self.vetnet, *words, "--now", NOW]) for _ in range(3)]
        return round(min(seconds for seconds, _, _ in runs), 2), round(max(megabytes for _, megabytes, _ in runs))

    def measure(self, name, path, **known):
        """What a practice costs whose notes are in its file and not indexed yet."""
        where = ["--practice", path]
        reindex, megabytes, output = run([self.vetnet, "reindex", "--all", "--json", *where, "--now", NOW])
        values = {"notes": summary(output)["indexed_notes"], "file_megabytes": round(os.path.getsize(path) / 1e6), **known}
        values |= {"reindex_seconds": round(reindex, 1), "reindex_megabytes": round(megabytes)}
        # One patient; a list, from what facts come to; a question that searches all passages; the same by similarity; and what doesn't
        # search: how long the file itself takes to open and count.
        for key, words in {
            "ask": ["ask", "is he on meloxicam?", "--patient", "P100"],
            "list": ["ask", "which dogs are on meloxicam?"],
            "whole": ["ask", "why was the leg amputated?"],
            "similar": ["similar", "--text", "old cat, losing weight, ravenous"],
            "status": ["status"],
        }.items():
            values[f"{key}_seconds"], values[f"{key}_megabytes"] = self.least(*words, *where)
        self.note(**{name: values})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vetnet")
    parser.add_argument("folder")
    parser.add_argument("--practices", type=int, default=200)
    parser.add_argument("--notes", type=int, default=5000)
    parser.add_argument("--large", default="")
    parser.add_argument("--imported", help="a practice file whose notes are in it already, measured as it is")
    parser.add_argument("--report")
    arguments = parser.parse_args()
    folder = os.path.abspath(arguments.folder)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    bench = Bench(os.path.abspath(arguments.vetnet), folder)
    bench.note(load_at_start=round(os.getloadavg()[0], 1), cores=os.cpu_count())
    if arguments.practices > 0:
        bench.many(arguments.practices, arguments.notes)
        bench.beyond()
    sizes = sorted(int(size) for size in arguments.large.split(",") if size)
    bench.large(sizes)
    large = [f"large_{size}" for size in sizes]
    if arguments.imported:
        bench.measure("imported", os.path.abspath(arguments.imported))
        large.append("imported")
    if large:
        bench.note(gives_first=bench.gives_first(large))
    bench.note(load_at_end=round(os.getloadavg()[0], 1))
    if arguments.report:
        with open(arguments.report, "w") as file:
            json.dump(bench.report, file, indent=1)
            file.write("\n")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
