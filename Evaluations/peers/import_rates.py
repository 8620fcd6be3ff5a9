"""Rows a second of `vetnet import` in three formats, beside sqlite-utils' insert of the same rows, in one run.

    python import_rates.py VETNET SQLITE_UTILS FOLDER [NOTES]

Notes are invented from a few sentences; none is indexed (reindex does that), since sqlite-utils indexes nothing either. What VetNet does
beside: it reads dates and codes, looks up each patient, keeps a digest of each note, an audit chain and a journal that can be undone.
"""

import csv
import json
import os
import pathlib
import random
import subprocess
import sys
import time

SENTENCES = [
    "Vomiting since yesterday, bright in himself.", "Left fore lame after a run.", "Ears itchy, brown discharge.",
    "Annual booster, heart and lungs clear.", "Creatinine 210 umol/l, renal diet.", "Wound clean and dry.",
]
MAP = """format = "vetnet-map-1"
[[table]]
file = "history.csv"
kind = "notes"
date_order = "dmy"
[table.columns]
id = "Hist No"
patient_id = "Animal"
recorded_at = ["Date", "Time"]
author = "User"
kind = "Entry"
text = "Clinical Text"
[table.values.kind]
"CONS" = "consult"
"TEL" = "phone"
"""


def measured(words, env):
    """Seconds, and the largest resident memory of the program in MB."""
    start = time.perf_counter()
    process = subprocess.Popen(words, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{words[1]} failed: {errors.decode(errors='replace')[:400]}")
    return time.perf_counter() - start, usage.ru_maxrss / 1024


def main():
    vetnet, sqlite_utils, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    notes = int(sys.argv[4]) if len(sys.argv) > 4 else 100_000
    folder.mkdir(parents=True, exist_ok=True)
    chance = random.Random(1)
    patients = [{"id": f"P{i}", "name": f"Animal {i}", "species": "dog"} for i in range(max(1, notes // 20))]
    (folder / "patients.jsonl").write_text("".join(json.dumps(p) + "\n" for p in patients))
    names = ["id", "patient_id", "recorded_at", "author", "kind", "text"]
    mapped = ["Hist No", "Animal", "Date", "Time", "User", "Entry", "Clinical Text"]
    with open(folder / "notes.jsonl", "w") as lines, open(folder / "notes.csv", "w", newline="") as table, open(
        folder / "history.csv", "w", newline=""
    ) as history:
        plain, other = csv.writer(table), csv.writer(history)
        plain.writerow(names)
        other.writerow(mapped)
        for i in range(notes):
            year, month, day = chance.randrange(2015, 2026), chance.randrange(1, 13), chance.randrange(1, 29)
            row = [
                f"N{i}", f"P{chance.randrange(len(patients))}", f"{year}-{month:02}-{day:02}T10:{i % 60:02}:00",
                chance.choice(["JH", "AMB"]), chance.choice(["consult", "phone"]),
                " ".join(chance.choices(SENTENCES, k=8)) + f" Ref {i}.",
            ]
            lines.write(json.dumps(dict(zip(names, row))) + "\n")
            plain.writerow(row)
            code = "CONS" if row[4] == "consult" else "TEL"
            other.writerow([row[0], row[1], f"{day:02}/{month:02}/{year}", f"10:{i % 60:02}", row[3], code, row[5]])
    (folder / "map.toml").write_text(MAP)
    env = dict(os.environ, TZ="UTC")
    print(f"{notes} notes; {'rows/s':>9} {'seconds':>8} {'MB':>6}")
    runs = [
        ("vetnet, JSON Lines", ["notes.jsonl"]), ("vetnet, CSV", ["notes.csv"]),
        ("vetnet, mapped CSV", ["--map", str(folder / "map.toml"), "history.csv"]),
    ]
    for name, words in runs:
        practice = folder / "practice.vetnet"
        for file in folder.glob("practice.vetnet*"):
            file.unlink()
        own = dict(env, VETNET_PRACTICE=str(practice))
        subprocess.run([vetnet, "init", "--time-zone", "UTC"], env=own, check=True, capture_output=True)
        subprocess.run([vetnet, "import", str(folder / "patients.jsonl")], env=own, check=True, capture_output=True)
        words = words[:-1] + [str(folder / words[-1])]
        seconds, memory = measured([vetnet, "import", *words, "--no-index"], own)
        print(f"{name:24}{notes / seconds:10.0f} {seconds:8.2f} {memory:6.0f}")
    for name, words in [("sqlite-utils, JSON Lines", ["notes.jsonl", "--nl"]), ("sqlite-utils, CSV", ["notes.csv", "--csv"])]:
        database = folder / "peer.db"
        database.unlink(missing_ok=True)
        seconds, memory = measured(
            [sqlite_utils, "insert", str(database), "notes", str(folder / words[0]), words[1], "--pk", "id"], env)
        print(f"{name:24}{notes / seconds:10.0f} {seconds:8.2f} {memory:6.0f}")


if __name__ == "__main__":
    main()
