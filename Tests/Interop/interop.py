"""Whether others can read what VetNet exports.

    interop.py FOLDER

FOLDER holds what `make interop` writes: `records/` (the import format), `bundle.json`, `tables/` and `book.ics`. Libraries that are
not installed are passed over and named; with INTEROP_ALL=1 they must be there.
"""

import csv
import json
import os
import pathlib
import sqlite3
import sys

folder = pathlib.Path(sys.argv[1])
faults = []


def check(holds, words):
    if not holds:
        faults.append(words)


def library(name):
    try:
        return __import__(name, fromlist=["_"])
    except ImportError:
        print(f"{name}: not installed")
        check("INTEROP_ALL" not in os.environ, f"{name} is missing")
        return None


records = {
    path.stem: [json.loads(line) for line in path.open(encoding="utf-8")] for path in (folder / "records").glob("*.jsonl")
}

fhir = library("fhir.resources.R4B")
if fhir:
    bundle = json.loads((folder / "bundle.json").read_text(encoding="utf-8"))
    fhir.get_fhir_model_class("Bundle").model_validate({**bundle, "entry": bundle["entry"][:1]})
    found, known = {}, {entry["fullUrl"] for entry in bundle["entry"]}
    check(len(known) == len(bundle["entry"]), "full URLs repeat")
    for entry in bundle["entry"]:
        resource = entry["resource"]
        kind = resource["resourceType"]
        found[kind] = found.get(kind, 0) + 1
        try:
            fhir.get_fhir_model_class(kind).model_validate(resource)
        except Exception as problem:
            faults.append(f"{kind}/{resource['id']}: {str(problem)[:300]}")
        base = entry["fullUrl"].rsplit("/", 2)[0]

        def references(value):
            if isinstance(value, dict):
                for key, inner in value.items():
                    if key == "reference" and isinstance(inner, str):
                        yield inner
                    else:
                        yield from references(inner)
            elif isinstance(value, list):
                for inner in value:
                    yield from references(inner)

        for reference in references(resource):
            check(f"{base}/{reference}" in known, f"{kind}/{resource['id']} refers to {reference}, which is not there")
    check(found.get("Patient") == len(records["patients"]), "patients in the bundle")
    written = len(records["notes"]) + len(records.get("intakes", []))
    check(found.get("DocumentReference") == written, "notes and requests in the bundle")
    print(f"fhir.resources: {sum(found.values())} resources of {len(found)} types are valid")

csv.field_size_limit(1 << 30)
database = sqlite3.connect(":memory:")
sqlite_utils = library("sqlite_utils")
for path in sorted((folder / "tables").glob("*.csv")):
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, strict=True))
    check([row["id"] for row in rows] == [record["id"] for record in records.get(path.stem, [])], f"{path.name}: ids")
    if path.stem == "notes":
        check([row["text"] for row in rows] == [record["text"] for record in records["notes"]], "texts in notes.csv")
    if sqlite_utils and rows:
        table = sqlite_utils.Database(database)[path.stem]
        table.insert_all(rows, pk="id")
        check(table.count == len(rows), f"{path.name}: rows in SQLite")
    print(f"{path.name}: {len(rows)} rows")

calendar = (folder / "book.ics").read_bytes()
icalendar = library("icalendar")
if icalendar:
    events = icalendar.Calendar.from_ical(calendar).walk("VEVENT")
    check(len(events) > 0 and all(event.decoded("dtstart") for event in events), "events for icalendar")
    print(f"icalendar: {len(events)} events")
vobject = library("vobject")
if vobject:
    events = list(vobject.readOne(calendar.decode("utf-8")).vevent_list)
    check(len(events) > 0, "events for vobject")
    print(f"vobject: {len(events)} events")

for fault in faults[:40]:
    print(fault, file=sys.stderr)
sys.exit(1 if faults else 0)
