"""A practice file beside SQLite's own means: indexing beside FTS5, a cold question beside sqlite-vec, both over the same passages.

usage: practice_file.py VETNET --models DIR [--patients N] [--again N] [--folder DIR] [--runs DIR]

Simulates a practice, imports it and re-indexes it with training, as a practice manager would. From the passages that this left in
the file FTS5 is built by Python's sqlite3, and from its vectors a sqlite-vec table, each in a file of its own. Then questions are
asked in new processes, all with the files in the system's cache: VetNet's, and a Python process that searches the sqlite-vec file.
With --again the practice is re-indexed so many times more, and the file's size is noted: it must not grow.
With --folder the files stay there, and what is there is not made again.
"""

import argparse
import json
import pathlib
import sqlite3
import sys
import tempfile
import time

import apsw  # an SQLite of its own: many a Python's refuses extensions
import sqlite_vec

import measuring

parser = argparse.ArgumentParser()
parser.add_argument("vetnet")
parser.add_argument("--models", required=True)
parser.add_argument("--patients", type=int, default=7000)
parser.add_argument("--rounds", type=int, default=9)
parser.add_argument("--again", type=int, default=0)
parser.add_argument("--folder")
parser.add_argument("--runs")
options = parser.parse_args()

QUESTION = "which cats were sick after the new tablets and had to stop them?"
# What a cold process does at the least: connect, load the extension, search. The vector comes as an argument, embedded for nothing.
SEARCH = """
import apsw, sqlite_vec, sys, time
began = time.monotonic()
file = apsw.Connection(sys.argv[1]); file.enable_load_extension(True); file.load_extension(sqlite_vec.loadable_path())
rows = file.execute("SELECT rowid, distance FROM passage WHERE vector MATCH ? AND k = 10", (bytes.fromhex(sys.argv[2]),)).fetchall()
assert len(rows) == 10
print(time.monotonic() - began)
"""


def main(folder):
    practice = folder / "practice.vetnet"
    always = ["--practice", practice, "--models", options.models]
    report = {"patients": options.patients}

    def vetnet(*words):
        return measuring.run([options.vetnet, *words, *always])

    if not practice.exists():
        print("simulating, importing …", file=sys.stderr)
        made = measuring.run([options.vetnet, "simulate", "--patients", options.patients, "--seed", 1, "--out", folder / "records",
                              "--models", options.models])
        vetnet("init", "--time-zone", "Europe/London")
        imported = vetnet("import", "--no-index", folder / "records")
        report["simulate"] = {"seconds": made.seconds, "megabytes": made.megabytes}
        report["import"] = {"seconds": imported.seconds, "megabytes": imported.megabytes}
    print("re-indexing …", file=sys.stderr)
    trained = vetnet("reindex", "--all", "--train", "--json")
    indexed = vetnet("reindex", "--all", "--json")
    report["reindex --train"] = {"seconds": trained.seconds, "megabytes": trained.megabytes}
    report["reindex"] = {"seconds": indexed.seconds, "megabytes": indexed.megabytes, **json.loads(indexed.output.splitlines()[-1])}

    def megabytes_of_file():
        return sum(path.stat().st_size for path in folder.glob("practice.vetnet*")) / 1e6

    report["file_megabytes"] = [megabytes_of_file()]
    for _ in range(options.again):
        vetnet("reindex", "--all")
        report["file_megabytes"].append(megabytes_of_file())

    file = sqlite3.connect(f"file:{practice}?mode=ro", uri=True)
    passages = file.execute("""SELECT chunk.id, substr(CAST(note.text AS BLOB), start_byte + 1, end_byte - start_byte)
        FROM chunk JOIN note ON note.id = note_id ORDER BY chunk.id""")
    passages = [(number, text.decode()) for number, text in passages]
    report["notes"] = file.execute("SELECT count(*) FROM note").fetchone()[0]
    report["chunks"] = len(passages)
    report["text_megabytes"] = sum(len(text.encode()) for _, text in passages) / 1e6
    parts = {"passages' vectors": ["chunk_vector"], "search codes": ["segment"], "postings and terms": ["posting", "term"]}
    try:
        size = dict(file.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name"))
        report["bytes_per_chunk"] = {"text": report["text_megabytes"] * 1e6 / len(passages)} | {
            name: sum(size.get(table, 0) for table in tables) / len(passages) for name, tables in parts.items()}
        report["bytes_per_chunk"]["whole file"] = sum(size.values()) / len(passages)
    except sqlite3.OperationalError:
        pass  # this Python's SQLite was built without dbstat

    print("building FTS5 and sqlite-vec …", file=sys.stderr)
    began = time.monotonic()
    fts = sqlite3.connect(folder / "fts5.sqlite")
    fts.executescript("PRAGMA journal_mode = WAL; DROP TABLE IF EXISTS passage; CREATE VIRTUAL TABLE passage USING fts5(text, tokenize='porter')")
    fts.executemany("INSERT INTO passage (rowid, text) VALUES (?, ?)", passages)
    fts.commit()
    report["fts5_seconds"] = time.monotonic() - began
    fts.close()
    del passages

    peer = folder / "sqlite-vec.sqlite"
    vectors = apsw.Connection(str(peer))
    vectors.enable_load_extension(True)
    vectors.load_extension(sqlite_vec.loadable_path())
    vectors.execute("DROP TABLE IF EXISTS passage; CREATE VIRTUAL TABLE passage USING vec0(vector float[512])")
    with vectors:
        vectors.executemany("INSERT INTO passage (rowid, vector) VALUES (?, ?)",
                            file.execute("SELECT chunk_id, vector FROM chunk_vector ORDER BY chunk_id"))
    query = vectors.execute("SELECT vector FROM passage LIMIT 1").fetchone()[0]
    vectors.close()
    patient = file.execute("""SELECT patient.external_id FROM patient JOIN note ON note.patient_id = patient.id
        GROUP BY patient.id ORDER BY count(*) DESC, patient.id LIMIT 1""").fetchone()[0]
    file.close()

    print("asking …", file=sys.stderr)
    asked = measuring.in_turns({
        "vetnet --version": lambda: measuring.run([options.vetnet, "--version"]),
        "ask, one patient": lambda: vetnet("ask", "is she still on tablets?", "--patient", patient, "--json"),
        "ask, whole practice": lambda: vetnet("ask", QUESTION, "--json"),
        "similar": lambda: vetnet("similar", "--text", "off food, drinking a lot, losing weight, jaundiced gums", "--json"),
        "sqlite-vec, nearest ten": lambda: measuring.run([sys.executable, "-c", SEARCH, peer, query.hex()]),
    }, options.rounds)
    inside = measuring.median([float(run.output) for run in asked["sqlite-vec, nearest ten"]])
    report["cold"] = {name: {"median_ms": measuring.median([run.seconds for run in runs]) * 1000,
                             "lowest_ms": min(run.seconds for run in runs) * 1000, "megabytes": max(run.megabytes for run in runs)}
                      for name, runs in asked.items()}
    report["sqlite_vec_inside_ms"] = inside * 1000
    report["versions"] = {"sqlite-vec": sqlite_vec.__version__, "apsw": apsw.apsw_version(), "sqlite": sqlite3.sqlite_version}

    facts = report["reindex"].get("fact_seconds")
    whole = report["reindex"]["seconds"]
    lines = [f"{report['notes']:,} simulated notes, {report['chunks']:,} chunks, {report['text_megabytes']:.0f} MB of text.", ""]
    rows = [[name, f"{report[name]['seconds']:.1f}", f"{report[name]['seconds'] / report['fts5_seconds']:.1f}",
             f"{report[name]['megabytes']:.0f}"] for name in ("simulate", "import", "reindex --train", "reindex") if name in report]
    lines += measuring.table(["work", "seconds", "× FTS5", "peak MB"], rows + [["FTS5, Python", f"{report['fts5_seconds']:.1f}", 1, ""]])
    sizes = report["file_megabytes"]
    lines += ["", f"The file has {sizes[0]:.0f} MB" + (f", and {sizes[-1]:.0f} MB after {len(sizes) - 1} more re-indexings." if sizes[1:] else ".")]
    if facts is not None:
        lines += ["", f"Of the re-index {facts:.1f} core seconds read facts, which FTS5 does not."]
    lines += [""] + measuring.table(["new process, warm files", "median ms", "lowest ms", "peak MB"], [
        [name, *(f"{figure[key]:.0f}" for key in ("median_ms", "lowest_ms", "megabytes"))] for name, figure in report["cold"].items()])
    lines += ["", f"The sqlite-vec process spends {inside * 1000:.0f} ms in connecting and searching, the rest in starting Python; it gets its query's "
              f"vector for nothing. Resident memory counts pages of the file that are mapped, and nothing reads lower than this script's own."]
    if "bytes_per_chunk" in report:
        lines += [""] + measuring.table(["of the file", "bytes a chunk"], [
            [name, f"{value:.0f}"] for name, value in report["bytes_per_chunk"].items()])
    measuring.keep(options.runs, f"peers practice file {report['chunks'] // 100_000 * 100}k" if report["chunks"] >= 100_000
                   else "peers practice file", f"practice_file.py --patients {options.patients}", report, lines)


if options.folder:
    pathlib.Path(options.folder).mkdir(parents=True, exist_ok=True)
    main(pathlib.Path(options.folder))
else:
    with tempfile.TemporaryDirectory() as scratch:
        main(pathlib.Path(scratch))
