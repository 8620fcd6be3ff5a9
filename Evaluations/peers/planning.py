"""VetNet's planner beside OR-Tools CP-SAT on the same vetnet-sched-1 instances, and beside its own long runs on unseen ones.

usage: planning.py VETNET [INSTANCE.json …] [--limits 0.2,1] [--peer-limits 10] [--unseen N] [--runs DIR]

Every plan is checked here, apart from the program that made it: hard rules, and the value it claims. The bound is VetNet's, which
is proven; the gap is how far a plan's value stays below it. Without instances two are made with `vetnet schedule generate`.
"""

import argparse
import json
import pathlib
import sys
import tempfile
import time

from ortools.sat.python import cp_model

import measuring

parser = argparse.ArgumentParser()
parser.add_argument("vetnet")
parser.add_argument("instances", nargs="*")
parser.add_argument("--limits", default="0.2,1")
parser.add_argument("--peer-limits", default="10")
parser.add_argument("--seeds", type=int, default=5)
parser.add_argument("--unseen", type=int, default=0, help="generated day instances; a third as many weeks")
parser.add_argument("--runs")
options = parser.parse_args()
LIMITS = [float(word) for word in options.limits.split(",")]
PEER_LIMITS = [float(word) for word in options.peer_limits.split(",") if word]


def earned(job, bonus, start):
    """What a placed job is worth before the load of its vet is counted."""
    return (job["base"] + bonus - job["e"] * max(0, job["p"] - start) - job["l"] * max(0, start - job["p"])
            - job["l2"] * max(0, start - job["q"]))


def slots_of(job, vet):
    return next(((slots, bonus) for number, _, slots, bonus in job["cand"] if number == vet), None)


def check(instance, assign):
    """The plan's value; a plan that breaks a rule ends the comparison."""
    busy, used, load, ends, value = {}, {}, [0] * len(instance["vets"]), {}, 0
    faults = []
    for number, job in enumerate(instance["jobs"]):
        place = job["pin"] or assign[number]
        if not place:
            continue
        vet, start = place
        slots, bonus = slots_of(job, vet) or (None, None)
        if slots is None:
            faults.append("no candidate")
            continue
        ends[number] = start + slots
        load[vet] += slots
        if not any(a <= start and start + slots <= b for a, b in instance["vets"][vet]["avail"]):
            faults.append("outside the hours")
        for slot in range(start, start + slots):
            if busy.setdefault((vet, slot), number) != number:
                faults.append("two at once")
        for pool in job["pools"]:
            for slot in range(start, start + slots + instance["pools"][pool]["clean"]):
                used[pool, slot] = used.get((pool, slot), 0) + 1
                if used[pool, slot] > instance["pools"][pool]["cap"]:
                    faults.append("rooms")
        if not job["pin"]:
            if not any(a <= start <= b for a, b in job["win"]):
                faults.append("window")
            value += earned(job, bonus, start)
    for number, job in enumerate(instance["jobs"]):
        if job["after"] and number in ends:
            first, lag = job["after"]
            if first not in ends or ends[first] + lag > (job["pin"] or assign[number])[1]:
                faults.append("order")
    for number, vet in enumerate(instance["vets"]):
        for rest in vet["breaks"]:
            low, high = rest["start"]
            if not any(all((number, slot) not in busy for slot in range(s, s + rest["len"])) for s in range(low, high + 1)):
                faults.append("break")
        value -= (instance["balance"]["c1"] * max(0, load[number] - vet["t1"])
                  + instance["balance"]["c2"] * max(0, load[number] - vet["t2"]))
    if faults:
        raise SystemExit(f"{instance['name']}: a plan breaks rules: {', '.join(sorted(set(faults)))}")
    return value


def solve_with_cp_sat(instance, seconds):
    """An interval for each job and candidate, start times within the windows and hours, costs linear in start and load."""
    model = cp_model.CpModel()
    on_vet = [[] for _ in instance["vets"]]
    loads = [[] for _ in instance["vets"]]
    in_pool = [[] for _ in instance["pools"]]
    gains, placed, begins, finish = [], [], [], []
    for number, job in enumerate(instance["jobs"]):
        pinned = job["pin"]
        windows = [[pinned[1], pinned[1]]] if pinned else job["win"]
        start = model.new_int_var_from_domain(cp_model.Domain.from_intervals(windows), f"s{number}")
        end = model.new_int_var(0, 100_000, f"e{number}")
        choices = {}
        for vet, _, slots, bonus in job["cand"]:
            if pinned and vet != pinned[0]:
                continue
            chosen = model.new_bool_var(f"x{number},{vet}")
            choices[vet] = chosen
            hours = [[a, b - slots] for a, b in instance["vets"][vet]["avail"] if b - slots >= a]
            if hours:
                model.add_linear_expression_in_domain(start, cp_model.Domain.from_intervals(hours)).only_enforce_if(chosen)
            else:
                model.add(chosen == 0)
            model.add(end == start + slots).only_enforce_if(chosen)
            on_vet[vet].append(model.new_optional_fixed_size_interval_var(start, slots, chosen, f"v{number},{vet}"))
            loads[vet].append(slots * chosen)
            for pool in job["pools"]:
                length = slots + instance["pools"][pool]["clean"]
                in_pool[pool].append(model.new_optional_fixed_size_interval_var(start, length, chosen, f"r{number},{vet},{pool}"))
            if not pinned:
                gains.append((job["base"] + bonus) * chosen)
        is_placed = model.new_bool_var(f"p{number}")
        model.add(sum(choices.values()) == is_placed)
        if pinned:
            model.add(is_placed == 1)
        else:
            latest = max(b for _, b in windows)
            for weight, amount in ((job["e"], job["p"] - start), (job["l"], start - job["p"]), (job["l2"], start - job["q"])):
                if weight:
                    cost = model.new_int_var(0, latest + 1_000, "")
                    model.add(cost >= amount).only_enforce_if(is_placed)
                    gains.append(-weight * cost)
        placed.append(is_placed)
        begins.append(start)
        finish.append((end, choices))
    for number, job in enumerate(instance["jobs"]):
        if job["after"]:
            first, lag = job["after"]
            model.add_implication(placed[number], placed[first])
            model.add(begins[number] >= finish[first][0] + lag).only_enforce_if(placed[number])
    for number, vet in enumerate(instance["vets"]):
        for rest in vet["breaks"]:
            start = model.new_int_var(*rest["start"], "")
            on_vet[number].append(model.new_fixed_size_interval_var(start, rest["len"], ""))
        model.add_no_overlap(on_vet[number])
        for weight, limit in ((instance["balance"]["c1"], vet["t1"]), (instance["balance"]["c2"], vet["t2"])):
            over = model.new_int_var(0, 100_000, "")
            model.add(over >= sum(loads[number]) - limit)
            gains.append(-weight * over)
    for pool, intervals in zip(instance["pools"], in_pool):
        model.add_cumulative(intervals, [1] * len(intervals), pool["cap"])
    model.maximize(sum(gains))

    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = seconds
    solver.parameters.num_workers = 2
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    assign = []
    for (_, choices), start in zip(finish, begins):
        vet = next((vet for vet, chosen in choices.items() if solver.value(chosen)), None)
        assign.append(None if vet is None else [vet, solver.value(start)])
    value = check(instance, assign)
    # Stopped early it may hold a cost higher than the plan's own: the plan counts.
    if value < round(solver.objective_value):
        raise SystemExit(f"{instance['name']}: CP-SAT says {solver.objective_value}, its plan is worth {value}")
    return value


def plan(path, instance, seconds, seed):
    outcome = measuring.run([options.vetnet, "schedule", "optimize", "--instance", path, "--time-limit", seconds, "--seed", seed, "--json"])
    found = outcome.json
    value = check(instance, found["assign"][: len(instance["jobs"])])
    if value != found["value"]:
        raise SystemExit(f"{instance['name']}: a plan of value {value} claims {found['value']}")
    return value, found["upper_bound"], outcome.seconds


def against_peer(path):
    instance = json.loads(pathlib.Path(path).read_text())
    bound, report = None, {"instance": instance["name"], "vetnet": {}, "cp_sat": {}}
    for seconds in LIMITS:
        runs = [plan(path, instance, seconds, seed) for seed in range(1, options.seeds + 1)]
        bound = min([run[1] for run in runs] + ([bound] if bound else []))
        report["vetnet"][str(seconds)] = {"values": [run[0] for run in runs], "process_seconds": max(run[2] for run in runs)}
    for seconds in PEER_LIMITS:
        began = time.monotonic()
        value = solve_with_cp_sat(instance, seconds)
        report["cp_sat"][str(seconds)] = {"value": value, "seconds": time.monotonic() - began}
    report["upper_bound"] = bound
    return report


def peer_lines(reports):
    head = ["instance"] + [f"VetNet {seconds:g} s (worst of {options.seeds})" for seconds in LIMITS] + [
        f"CP-SAT {seconds:g} s" for seconds in PEER_LIMITS]
    rows = []
    for report in reports:
        def gap(value):
            return "no plan" if value is None else f"{100 * (1 - value / report['upper_bound']):.2f}"
        row = [report["instance"]]
        for run in report["vetnet"].values():
            row.append(f"{gap(measuring.median(run['values']))} ({gap(min(run['values']))})")
        rows.append(row + [gap(run["value"]) for run in report["cp_sat"].values()])
    late = max(run["process_seconds"] - float(seconds) for report in reports for seconds, run in report["vetnet"].items())
    return measuring.table(head, rows) + [
        "", f"Gap to VetNet's proven bound in percent, median over seeds; CP-SAT with two workers. A VetNet process took at most "
        f"{late:.2f} s longer than its limit, starting and printing included."]


def unseen(scratch):
    """Shares of the value that ten seconds reach, by shape and limit, on instances nobody has looked at."""
    shapes = {"day, 20 vets × 100": (20, 100, 1, 0.85, options.unseen), "full day, 20 × 110": (20, 110, 1, 0.95, options.unseen),
              "week, 10 × 400": (10, 400, 6, 0.85, max(1, options.unseen // 3))}
    found = {}
    for shape, (vets, jobs, days, load, count) in shapes.items():
        shares = {str(seconds): [] for seconds in LIMITS}
        gaps = []
        for number in range(count):
            path = scratch / "unseen.json"
            path.write_bytes(measuring.run([options.vetnet, "schedule", "generate", "--vets", vets, "--jobs", jobs, "--days", days,
                                            "--load", load, "--seed", 9_000 + number]).output)
            instance = json.loads(path.read_text())
            value, bound, _ = plan(path, instance, 10, 77)
            gaps.append(100 * (1 - value / bound))
            for seconds in LIMITS:
                shares[str(seconds)].append(100 * plan(path, instance, seconds, 1)[0] / value)
            print(f"{shape}: {number + 1} of {count}", file=sys.stderr)
        found[shape] = {"instances": count, "share_of_ten_seconds": shares, "gap_of_ten_seconds": gaps}
    return found


def unseen_lines(found):
    head = ["unseen instances", "how many"] + [f"{seconds:g} s: mean % (lowest)" for seconds in LIMITS] + ["10 s: mean gap %"]
    rows = [[shape, result["instances"],
             *(f"{sum(values) / len(values):.2f} ({min(values):.2f})" for values in result["share_of_ten_seconds"].values()),
             f"{sum(result['gap_of_ten_seconds']) / result['instances']:.2f}"] for shape, result in found.items()]
    return ["", *measuring.table(head, rows), "", "Shares of the value that VetNet itself reaches in ten seconds with another seed."]


def main():
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        paths = options.instances
        if not paths:
            for name, shape in {"day": (20, 100, 1, 7), "week": (10, 400, 6, 7)}.items():
                path = scratch / f"{name}.json"
                path.write_bytes(measuring.run([options.vetnet, "schedule", "generate", "--vets", shape[0], "--jobs", shape[1],
                                                "--days", shape[2], "--seed", shape[3]]).output)
                paths.append(path)
        reports = []
        for path in paths:
            print(f"{pathlib.Path(path).stem} …", file=sys.stderr)
            reports.append(against_peer(path))
        report, lines = {"instances": reports}, peer_lines(reports)
        if options.unseen:
            report["unseen"] = unseen(scratch)
            lines += unseen_lines(report["unseen"])
        names = " ".join(f"{pathlib.Path(path).name}" for path in options.instances)
        measuring.keep(options.runs, "peers planning",
                       f"planning.py {names} --limits {options.limits} --peer-limits {options.peer_limits} --unseen {options.unseen}",
                       report, lines)


main()
