"""Histories of practices that VetNet knows nothing of: only clinician, procedure and a few flags are given, the names are numbers.

usage: elsewhere.py FOLDER     then: vetnet evaluate duration FOLDER/specialists.jsonl

Minutes are log-normal: a level and a spread of each procedure, a pace of each clinician, how the two go together, what the flags
add, and a drift over the years; one visit in twenty is wilder. Nothing of it is taken from VetNet's model or tables.
"""

import datetime
import json
import math
import pathlib
import random
import sys

FLAGS = [("emergency", .12, .15), ("general anaesthetic", .5, .1), ("outpatient", .4, -.12), ("bilateral", .1, .35)]

# seed, visits, procedures, clinicians, spread of clinician with procedure, flags, drift over the whole history
HISTORIES = {
    "hospital": (1, 4000, 30, 12, .12, FLAGS, 0),
    "specialists": (2, 2500, 60, 40, .15, FLAGS, .2),
    "small-practice": (3, 6000, 12, 6, .05, FLAGS[:2], .1),
    "no-flags": (4, 3000, 80, 25, .2, [], 0),
}


def history(seed, visits, procedures, clinicians, together, flags, drift):
    """The visits in time order, as `vetnet evaluate duration` reads them."""
    draw = random.Random(seed)
    level = [draw.gauss(3.4, .7) for _ in range(procedures)]
    spread = [draw.uniform(.2, .6) for _ in range(procedures)]
    share = [1 / (rank + 1) ** .8 for rank in range(procedures)]
    pace = [draw.gauss(0, .18) for _ in range(clinicians)]
    pair = {(a, b): draw.gauss(0, together) for a in range(procedures) for b in range(clinicians)}
    does = [[draw.random() < .5 for _ in range(clinicians)] for _ in range(procedures)]
    start = datetime.datetime(2021, 1, 4, 8)
    for number in range(visits):
        procedure = draw.choices(range(procedures), share)[0]
        clinician = draw.choice([each for each in range(clinicians) if does[procedure][each]] or range(clinicians))
        here = [flag for flag in flags if draw.random() < flag[1]]
        age = number / visits
        mean = level[procedure] + pace[clinician] + pair[procedure, clinician] + sum(flag[2] for flag in here) + drift * age
        minutes = math.exp(mean + draw.gauss(0, spread[procedure]) * (1.5 if draw.random() < .05 else 1))
        visit = {
            "id": f"X{number}",
            "started_at": (start + datetime.timedelta(minutes=37 * number)).isoformat(timespec="minutes"),
            "visit_type": f"procedure {procedure}",
            "clinician": f"D{clinician}",
            "actual_minutes": max(1, round(minutes)),
        }
        if here:
            visit["text"] = ", ".join(flag[0] for flag in here)
        yield visit


folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
for name, arguments in HISTORIES.items():
    lines = (json.dumps(visit) for visit in history(*arguments))
    (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n")
