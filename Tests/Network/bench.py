#!/usr/bin/env python3
"""Measures jobs over many simulated practices, and one practice that grows.

usage: bench.py VETNET FOLDER [--practices N] [--notes N] [--large N,N,…] [--report FILE]

Workers have one thread each. What is measured with one and with two workers is measured in one run, on fresh copies of the same files. The last part
is a calculation: what 1,000 practices of 100,000 notes would take, from the seconds that were measured here.
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
            "model": ["model", practices_folder, "--out", out],
            "similar": ["similar", practices_folder, "--text", "old cat losing weight, ravenous, vomiting"],
            "pool": ["pool", practices_folder],
        }.items():
            seconds, driver, output = run([self.vetnet, "network"] + words + ["--workers", "2", "--json", "--now", NOW])
            self.note(**{name: {"seconds": round(seconds, 1), "driver_megabytes": round(driver), "worker_megabytes": round(summary(output)["peak_kilobytes"] / 1024)}})
        self.note(model_bytes=os.path.getsize(out))
        shutil.rmtree(practices_folder)
        shutil.rmtree(origin)

    def beyond(self):
        """1,000 practices of 100,000 notes each, from what was measured: a calculation, no measurement."""
        one, model = self.report["reindex_1"], self.report["model"]
        per_note = one["seconds"] / one["notes"]
        model_per_note = 2 * model["seconds"] / one["notes"]
        notes = 100_000_000
        self.note(
            extrapolation={
                "assumes": "time in proportion to notes; cores like this one's; each practice's file on its own worker's disk; sums at the driver in proportion to practices",
                "notes": notes,
                "reindex_core_hours": round(per_note * notes / 3600, 1),
                "model_core_hours": round(model_per_note * notes / 3600, 1),
                "reindex_hours_on_64_cores_at_measured_efficiency": round(per_note * notes / 3600 / 64 / min(1, self.report["efficiency"]), 2),
                "most_expensive": "reindex" if per_note > model_per_note else "model",
            }
        )

    def large(self, sizes):
        for size in sizes:
            path = f"{self.folder}/large.vetnet"
            for suffix in ("", "-wal", "-shm", ".audit-key"):
                if os.path.exists(path + suffix):
                    os.unlink(path + suffix)
            seconds = self.make(path, size // NOTES_PER_PATIENT, 7)
            reindex, megabytes, output = run([self.vetnet, "reindex", "--all", "--practice", path, "--json", "--now", NOW])
            indexed = summary(output)["indexed_notes"]
            ask = min(run([self.vetnet, "ask", "which dogs are on meloxicam?", "--practice", path, "--now", NOW])[0] for _ in range(3))
            similar = [run([self.vetnet, "similar", "--text", "old cat, losing weight, ravenous", "--practice", path, "--now", NOW]) for _ in range(3)]
            self.note(
                **{
                    f"large_{size}": {
                        "notes": indexed,
                        "file_megabytes": round(os.path.getsize(path) / 1e6),
                        "import_seconds": round(seconds, 1),
                        "reindex_seconds": round(reindex, 1),
                        "reindex_megabytes": round(megabytes),
                        "ask_seconds": round(ask, 2),
                        "similar_seconds": round(min(seconds for seconds, _, _ in similar), 2),
                        "similar_megabytes": round(max(megabytes for _, megabytes, _ in similar)),
                    }
                }
            )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vetnet")
    parser.add_argument("folder")
    parser.add_argument("--practices", type=int, default=200)
    parser.add_argument("--notes", type=int, default=5000)
    parser.add_argument("--large", default="")
    parser.add_argument("--report")
    arguments = parser.parse_args()
    folder = os.path.abspath(arguments.folder)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    bench = Bench(os.path.abspath(arguments.vetnet), folder)
    bench.note(load_at_start=round(os.getloadavg()[0], 1), cores=os.cpu_count())
    bench.many(arguments.practices, arguments.notes)
    bench.beyond()
    bench.large([int(size) for size in arguments.large.split(",") if size])
    bench.note(load_at_end=round(os.getloadavg()[0], 1))
    if arguments.report:
        with open(arguments.report, "w") as file:
            json.dump(bench.report, file, indent=1)
            file.write("\n")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
