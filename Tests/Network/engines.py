#!/usr/bin/env python3
"""Runs every job over many practices on processes, on Dask and on Spark, two workers of each on this machine, and compares what comes of it.

usage: engines.py VETNET FOLDER DRIVERS [--report FILE]

Dask's scheduler and workers speak TLS with certificates made for this, and listen on 127.0.0.1 only. Exit code 1 where an engine's result
differs, names what. The report has seconds and memory of each job and engine.
"""
import argparse
import atexit
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

PRACTICES = int(os.environ.get("VETNET_NETWORK_PRACTICES", "6"))
NOW = "2026-11-20T18:00:00Z"
WORKERS = 2


def run(words, **options):
    done = subprocess.run(words, capture_output=True, text=True, **options)
    if done.returncode not in (0, 3):
        sys.exit(f"{' '.join(words)}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def make_practices(vetnet, folder):
    """Simulated practices that allow everything, one of them without permission to share."""
    os.makedirs(folder)
    for number in range(PRACTICES):
        path, records = f"{folder}/p{number}.vetnet", f"{folder}/records"
        run([vetnet, "simulate", "--patients", str(15 + 5 * number), "--seed", str(number + 1), "--until", "2026-11-20", "--out", records])
        run([vetnet, "init", "--practice", path, "--name", f"p{number}", "--time-zone", "Europe/London", "--now", NOW])
        run([vetnet, "import", records, "--practice", path, "--now", NOW])
        shutil.rmtree(records)
        for feature in ("share-terms", "share-cases", "share-figures"):
            run([vetnet, "config", "feature", feature, "on", "--practice", path])


def content(path):
    """Every derived row of a practice file."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as file:
        tables = ["generation", "chunk", "chunk_vector", "term", "posting", "segment", "fact", "note_state", "model"]
        present = {row[0] for row in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        return {table: sorted(file.execute(f"SELECT * FROM {table}"), key=repr) for table in tables if table in present}


def jobs(folder, out):
    return {
        "reindex": ["reindex", folder, "--all", "--portion", "250"],
        "model": ["model", folder, "--out", out, "--least", "2", "--rank", "64", "--sign", f"{folder}/signing.key"],
        "similar": ["similar", folder, "--text", "old cat losing weight, ravenous, vomiting", "--limit", "20"],
        "pool": ["pool", folder],
        "evaluate": ["evaluate", "assertions=Evaluations/assertions/dev.jsonl", "complexity=Evaluations/complexity/dev.jsonl"],
    }


def result_of(name, text, folder, out):
    """What has to be the same, whoever did the job."""
    if name == "reindex":
        return [content(f"{folder}/p{number}.vetnet") for number in range(PRACTICES)]
    if name == "model":
        with open(out, "rb") as model, open(out + ".sig", "rb") as signature:
            return model.read() + signature.read()
    lines = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    lines = [line for line in lines if line.get("message_type") != "progress"]
    for line in lines:
        line.pop("peak_kilobytes", None)
    return lines


def tree_memory(process):
    """Megabytes of a process and all that it started, shared pages counted once for each."""
    total, waiting = 0, [process]
    while waiting:
        number = waiting.pop()
        try:
            with open(f"/proc/{number}/smaps_rollup") as file:
                total += sum(int(line.split()[1]) for line in file if line.startswith("Pss:"))
            with open(f"/proc/{number}/task/{number}/children") as file:
                waiting += [int(word) for word in file.read().split()]
        except (OSError, ValueError):
            continue
    return total / 1024


class Measured:
    """A driver run to its end, with the most memory that it and what belongs to it used."""

    def __init__(self, words, others=(), **options):
        started = time.monotonic()
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
        self.megabytes = 0.0
        while process.poll() is None:
            self.megabytes = max(self.megabytes, sum(tree_memory(number) for number in (process.pid, *others)))
            time.sleep(0.2)
        self.output, errors = process.communicate()
        self.seconds = time.monotonic() - started
        if process.returncode not in (0, 3):
            sys.exit(f"{' '.join(words)}\n{self.output}\n{errors}")


def certificates(folder):
    """An authority for this run, and one certificate for all three roles."""
    quiet = {"check": True, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}
    subprocess.run("openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=run -keyout ca.key -out ca.pem".split(), **quiet)
    subprocess.run("openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=127.0.0.1 -keyout one.key -out one.csr".split(), **quiet)
    subprocess.run("openssl x509 -req -in one.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -out one.pem".split(), **quiet)


class DaskCluster:
    def __init__(self, python, folder, drivers):
        certificates(folder)
        tls = ["--tls-ca-file", f"{folder}/ca.pem", "--tls-cert", f"{folder}/one.pem", "--tls-key", f"{folder}/one.key"]
        binaries = os.path.dirname(python)
        environment = dict(os.environ, PYTHONPATH=drivers)
        self.file = f"{folder}/scheduler.json"
        words = [f"{binaries}/dask", "scheduler", "--protocol", "tls", "--host", "127.0.0.1", "--port", "0", "--dashboard-address", "127.0.0.1:0", "--scheduler-file", self.file]
        options = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": environment, "start_new_session": True}
        started = time.monotonic()
        self.processes = [subprocess.Popen(words + tls, **options)]
        # Whatever goes wrong from here on, nothing is left running.
        atexit.register(self.stop)
        # The file is there before what it says.
        while True:
            try:
                with open(self.file) as file:
                    self.address = json.load(file)["address"]
                break
            except (OSError, ValueError):
                time.sleep(0.05)
        for _ in range(WORKERS):
            words = [f"{binaries}/dask", "worker", self.address, "--host", "127.0.0.1", "--nthreads", "1", "--no-nanny", "--dashboard-address", "127.0.0.1:0", "--local-directory", folder]
            self.processes.append(subprocess.Popen(words + tls, **options))
        self.start = time.monotonic() - started
        self.options = ["--scheduler", self.address, "--ca", f"{folder}/ca.pem", "--cert", f"{folder}/one.pem", "--key", f"{folder}/one.key"]

    def listens_beyond_this_machine(self):
        """Sockets of the cluster on another address than 127.0.0.1."""
        found = []
        for process in self.processes:
            inodes = set()
            for name in os.listdir(f"/proc/{process.pid}/fd"):
                try:
                    target = os.readlink(f"/proc/{process.pid}/fd/{name}")
                except OSError:
                    continue
                if target.startswith("socket:["):
                    inodes.add(target[8:-1])
            for table, home in (("tcp", "0100007F"), ("tcp6", "00000000000000000000000001000000")):
                with open(f"/proc/{process.pid}/net/{table}") as file:
                    for line in list(file)[1:]:
                        words = line.split()
                        if words[3] == "0A" and words[9] in inodes and words[1].split(":")[0] != home:
                            found.append(words[1])
        return found

    def stop(self):
        running = [process for process in self.processes if process.poll() is None]
        for process in reversed(running):
            os.killpg(process.pid, signal.SIGTERM)
        for process in running:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vetnet")
    parser.add_argument("folder")
    parser.add_argument("drivers")
    parser.add_argument("--report")
    arguments = parser.parse_args()
    vetnet, folder, drivers = map(os.path.abspath, (arguments.vetnet, arguments.folder, arguments.drivers))
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    origin = f"{folder}/origin"
    make_practices(vetnet, origin)
    for name in ("signing.key", "group.key"):
        run([vetnet, "network", "key", "--out", f"{origin}/{name}"])
    python = sys.executable
    dask = DaskCluster(python, folder, drivers)
    rows, results, differing = [], {}, []
    try:
        for engine in ("processes", "dask", "spark"):
            for name in jobs(origin, ""):
                practices = f"{folder}/practices"
                shutil.rmtree(practices, ignore_errors=True)
                shutil.copytree(origin, practices)
                out, state = f"{folder}/{engine}.vnm", f"{folder}/state"
                shutil.rmtree(state, ignore_errors=True)
                words = [vetnet, "network"] + jobs(practices, out)[name] + ["--state", state, "--now", NOW]
                key = ["--group-key", f"{practices}/group.key"] if name == "model" else []
                if engine == "processes":
                    done = Measured(words + key + ["--workers", str(WORKERS), "--json"])
                else:
                    run(words + key + ["--plan-only"])
                    script = [python, f"{drivers}/{engine}_driver.py", "--state", state, "--vetnet", vetnet]
                    script += dask.options if engine == "dask" else ["--master", f"local[{WORKERS}]"]
                    others = [process.pid for process in dask.processes] if engine == "dask" else []
                    done = Measured(script + ["--", "--now", NOW] + key, others, env=dict(os.environ, PYTHONPATH=drivers, PYTHONDONTWRITEBYTECODE="1"))
                result = result_of(name, done.output, practices, out)
                same = engine == "processes" or result == results[name]
                results.setdefault(name, result)
                if not same:
                    differing.append(f"{name} on {engine}")
                rows.append((name, engine, done.seconds, done.megabytes, "" if same else "differs"))
                print(f"{name:10} {engine:10} {done.seconds:7.1f} s {done.megabytes:7.0f} MB  {'same' if same else 'DIFFERS'}", flush=True)
        listening = dask.listens_beyond_this_machine()
        print(f"Dask's cluster began in {dask.start:.1f} s; it listens beyond this machine at: {', '.join(listening) or 'nothing'}")
        if listening:
            differing.append("Dask listens beyond this machine")
    finally:
        dask.stop()
    if arguments.report:
        with open(arguments.report, "w") as file:
            json.dump([dict(zip(("job", "engine", "seconds", "megabytes", "remark"), row)) for row in rows], file, indent=1)
    if differing:
        sys.exit("not the same: " + ", ".join(differing))
    print("All engines give the same.")


if __name__ == "__main__":
    main()
