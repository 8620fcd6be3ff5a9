"""Exact search over vectors in memory: VetNet's codes beside FAISS IndexFlatIP and a plain matrix product (sgemv, sgemm).

usage: vector_search.py VETNET [--practice FILE] [--rows N] [--threads T] [--runs DIR]

Vectors: those of a practice file, if one is given, repeated with noise until there are enough; rows whose spectrum falls as that
of embedded text does; and rows without any structure, on which leaving out candidates can't work. Everybody gets the same rows,
the same queries, the same number of threads, and takes turns within one run. VetNet's ten must be the ten of a float32 scan.
"""

import argparse
import os
import pathlib
import sqlite3
import sys
import tempfile
import time

import measuring

parser = argparse.ArgumentParser()
parser.add_argument("vetnet")
parser.add_argument("--practice")
parser.add_argument("--rows", type=int, default=1_000_000)
parser.add_argument("--threads", type=int, default=os.cpu_count())
parser.add_argument("--rounds", type=int, default=3)
parser.add_argument("--runs")
options = parser.parse_args()
for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = str(options.threads)  # before numpy is loaded, which reads it once

import faiss  # noqa: E402
import numpy  # noqa: E402

DIMENSION, QUERIES, BATCH, WANTED = 512, 64, 64, 10
random = numpy.random.default_rng(1)
faiss.omp_set_num_threads(options.threads)


def practice_rows(path, count):
    """The practice's own vectors; where they are too few, again and again with a tenth of noise, so that no two are equal."""
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    rows = numpy.empty((count, DIMENSION), numpy.float32)
    have = 0
    for (blob,) in connection.execute("SELECT vector FROM chunk_vector ORDER BY chunk_id LIMIT ?", (count,)):
        rows[have] = numpy.frombuffer(blob, numpy.float32)
        have += 1
    if not have:
        raise SystemExit("the practice file has no vectors: run vetnet reindex")
    for start in range(have, count, have):
        part = rows[: min(have, count - start)]
        scale = 0.1 * part.std(axis=1, keepdims=True)
        rows[start : start + len(part)] = part + scale * random.standard_normal(part.shape, numpy.float32)
    return rows


def questions_near(rows):
    """Rows with half of noise: like some of the practice's passages, equal to none."""
    some = rows[random.choice(len(rows), QUERIES, replace=False)]
    return some + 0.5 * some.std(axis=1, keepdims=True) * random.standard_normal(some.shape, numpy.float32)


def falling_rows(count):
    """Normal numbers whose spread falls with the square root of the dimension's number; length 1."""
    rows = random.standard_normal((count, DIMENSION), numpy.float32)
    rows /= numpy.sqrt(numpy.arange(1, DIMENSION + 1, dtype=numpy.float32))
    rows /= numpy.linalg.norm(rows, axis=1, keepdims=True)
    return rows


def shapeless_rows(count):
    rows = random.standard_normal((count, DIMENSION), numpy.float32)
    rows /= numpy.linalg.norm(rows, axis=1, keepdims=True)
    return rows


def write_fvecs(path, rows):
    """The ANN benchmarks' format: before every row its dimension as an int32."""
    with open(path, "wb") as file:
        for start in range(0, len(rows), 65_536):
            part = rows[start : start + 65_536]
            lines = numpy.empty((len(part), DIMENSION + 1), numpy.float32)
            lines[:, 0] = numpy.array([DIMENSION], numpy.int32).view(numpy.float32)[0]
            lines[:, 1:] = part
            lines.tofile(file)


def best(scores):
    """The positions of the highest scores, best first, equal ones in the order of the rows."""
    some = numpy.argpartition(-scores, WANTED)[:WANTED]
    return some[numpy.lexsort((some, -scores[some]))]


def per_query(work):
    began = time.monotonic()
    work()
    return (time.monotonic() - began) / QUERIES


def compare(name, rows, queries, scratch):
    base, asked = scratch / "base.fvecs", scratch / "queries.fvecs"
    write_fvecs(base, rows)
    write_fvecs(asked, queries)
    index = faiss.IndexFlatIP(DIMENSION)
    index.add(rows)

    def vetnet(batch):
        return measuring.run([options.vetnet, "bench", "search", "--base", base, "--queries", asked, "-k", WANTED,
                              "--batch", batch, "--threads", options.threads, "--json"]).json

    def one_by_one(search):
        return per_query(lambda: [search(query) for query in queries])

    timed = measuring.in_turns({
        "vetnet": lambda: vetnet(1),
        "sgemv": lambda: one_by_one(lambda query: best(rows @ query)),
        "faiss": lambda: one_by_one(lambda query: index.search(query[None], WANTED)),
        "vetnet batch": lambda: vetnet(BATCH),
        "faiss batch": lambda: per_query(lambda: index.search(queries, WANTED)),
    }, options.rounds)
    seconds = {peer: measuring.median(
        [run["seconds_per_query"] if isinstance(run, dict) else run for run in runs]) for peer, runs in timed.items()}

    ours = timed["vetnet"][0]
    other = 0  # queries whose ten differ by more than the last bits of a score
    for query, ids, batched in zip(queries, ours["ids"], timed["vetnet batch"][0]["ids"]):
        scores = rows @ query
        wanted = scores[best(scores)]
        near = numpy.allclose(scores[ids], wanted, rtol=2e-6, atol=1e-7)
        other += not (near and numpy.allclose(scores[batched], wanted, rtol=2e-6, atol=1e-7))
    if other:
        raise SystemExit(f"{name}: {other} of {QUERIES} results are not those of a float32 scan")
    copied = per_query(lambda: rows.sum()) * QUERIES
    return {"rows": name, "seconds_per_query": seconds, "bytes_read_per_query": ours["bytes_read_per_query"],
            "bytes_of_float32": rows.nbytes, "read_gigabytes_per_second": rows.nbytes / copied / 1e9,
            "share_compared_as_floats": ours["compared_per_query"] / len(rows)}


def main():
    found = []
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        kinds = {"falling spectrum": falling_rows, "no structure": shapeless_rows}
        if options.practice:
            kinds = {"practice's vectors": lambda count: practice_rows(options.practice, count), **kinds}
        for name, make in kinds.items():
            print(f"{name} …", file=sys.stderr)
            rows = make(options.rows)
            queries = questions_near(rows) if make is kinds.get("practice's vectors") else make(QUERIES)
            found.append(compare(name, rows, queries, scratch))

    def line(result):
        seconds = result["seconds_per_query"]
        return [result["rows"], *(f"{seconds[peer] * 1000:.2f}" for peer in seconds),
                f"{seconds['vetnet'] / seconds['faiss']:.2f}", f"{seconds['vetnet'] / seconds['sgemv']:.2f}",
                f"{seconds['vetnet batch'] / seconds['faiss batch']:.2f}",
                f"{result['bytes_read_per_query'] / result['bytes_of_float32']:.2f}",
                f"{100 * result['share_compared_as_floats']:.3f}"]

    lines = [f"{options.rows:,} rows of {DIMENSION} floats, the best {WANTED} of {QUERIES} queries, {options.threads} threads, medians of "
             f"{options.rounds} rounds; milliseconds a query. Every result was compared with a float32 scan.", ""]
    lines += measuring.table(
        ["rows", "VetNet", "sgemv", "FAISS", f"VetNet, batch {BATCH}", f"FAISS, batch {BATCH}", "VetNet / FAISS",
         "VetNet / sgemv", "in batches", "bytes read / float32", "% compared as floats"], [line(result) for result in found])
    lines += ["", "FAISS is IndexFlatIP; sgemv is numpy's product with a sort of the best. Reading all floats once from memory took "
              f"{found[0]['bytes_of_float32'] / found[0]['read_gigabytes_per_second'] / 1e6:.0f} ms "
              f"({found[0]['read_gigabytes_per_second']:.1f} GB/s): the bound of every float32 scan."]
    measuring.keep(options.runs, "peers vector search", f"vector_search.py --rows {options.rows}"
                   + (" --practice FILE" if options.practice else ""),
                   {"versions": {"faiss": faiss.__version__, "numpy": numpy.__version__}, "results": found}, lines)


main()
