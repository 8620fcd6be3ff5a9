"""What the drivers for Dask and Spark have in common: a shard and a sum of two parts, each by calling the program.

A job's folder is made by `vetnet network … --plan-only --state DIR`. Only the standard library is used here.
"""
import json
import os
import subprocess
import tempfile

ANOTHER_ROUND = 75
LOCKED = 11


class Job:
    """The present round of a job."""

    def __init__(self, vetnet, folder, options=()):
        self.vetnet, self.folder, self.options = vetnet, os.path.abspath(folder), list(options)
        with open(os.path.join(self.folder, "plan.json"), "rb") as file:
            plan = json.load(file)
        self.shards = plan["shards"]
        (self.kind, values), = plan["job"].items()
        # Portions of large practices are files in the folder itself, which then has to be in reach of every worker.
        self.files = None if self.kind in ("reindex", "merge") else self._files(values)

    def _files(self, values):
        """What a worker on another machine has to be sent, by name."""
        names = {"plan.json"}
        stack = [values]
        while stack:
            value = stack.pop()
            if isinstance(value, dict):
                stack.extend(value.values())
            elif isinstance(value, list):
                stack.extend(value)
            elif isinstance(value, str) and value.endswith(".part"):
                names.add(value)
        contents = {}
        for name in sorted(names):
            with open(os.path.join(self.folder, name), "rb") as file:
                contents[name] = file.read()
        return contents

    def call(self):
        """What travels to a worker."""
        return {"vetnet": self.vetnet, "folder": self.folder, "options": self.options}

    def finish(self, part, failed, output):
        """Takes the sum of the round; true where another round is planned. What came of the job goes to output."""
        with tempfile.TemporaryDirectory() as scratch:
            words = [self.vetnet, "network", "finish", self.folder, "--json"]
            if part is not None:
                path = os.path.join(scratch, "sum.part")
                with open(path, "wb") as file:
                    file.write(part)
                words += ["--sum", path]
            for number, reason in sorted(failed.items()):
                words += ["--failed", f"{number}={reason}"]
            code = subprocess.run(words, stdout=output).returncode
        if code not in (0, 3, ANOTHER_ROUND):
            raise SystemExit(code)
        self.code = code
        return code == ANOTHER_ROUND


def _inside(call, files, work):
    """Does work in a folder that holds the round: the job's own, or one for this call with the files that were sent."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = call["folder"]
        if files is not None:
            folder = os.path.join(scratch, "round")
            os.mkdir(folder)
            for name, content in files.items():
                with open(os.path.join(folder, name), "wb") as file:
                    file.write(content)
        return work(folder, scratch)


def map_shard(call, files, number):
    """A shard's part: (bytes, None), or (None, why) where it can't be done. What may pass is raised, so that the engine tries again."""

    def work(folder, scratch):
        out = os.path.join(scratch, "out.part")
        words = [call["vetnet"], "network", "map", folder, "--shard", str(number), "--out", out] + call["options"]
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode == LOCKED or done.returncode < 0 or "the disk is full" in done.stderr:
            raise RuntimeError(f"shard {number}: {done.stderr.strip() or done.returncode}")
        if done.returncode != 0:
            return None, " ".join(done.stderr.split())
        with open(out, "rb") as file:
            return file.read(), None

    return _inside(call, files, work)


def add(call, files, left, right):
    """The sum of two neighbours."""

    def work(folder, scratch):
        names = []
        for place, part in enumerate((left, right)):
            names.append(os.path.join(scratch, f"{place}.part"))
            with open(names[-1], "wb") as file:
                file.write(part)
        out = os.path.join(scratch, "sum.part")
        subprocess.run([call["vetnet"], "network", "sum", folder] + names + ["--out", out], check=True)
        with open(out, "rb") as file:
            return file.read()

    return _inside(call, files, work)


def tree(parts, add_pair):
    """Adds neighbours level by level, as the program does: the shape follows from the number of parts."""
    parts = list(parts)
    while len(parts) > 1:
        parts = [add_pair(*parts[i : i + 2]) if i + 1 < len(parts) else parts[i] for i in range(0, len(parts), 2)]
    return parts[0] if parts else None
