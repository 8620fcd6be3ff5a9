#!/usr/bin/env python3
"""Does a job of `vetnet network` on a Dask cluster: shards on its workers, the sum as a tree.

The scheduler is one that is running; no address is assumed. With tls:// all three certificates are needed, and nothing is sent in the open.
A practice file is done by a worker that has it: the same paths on all machines, or each machine with its own files.

    vetnet network model /srv/practices --out group.vnm --plan-only --state job
    dask_driver.py --state job --scheduler tls://10.0.0.5:8786 --ca ca.pem --cert driver.pem --key driver.key -- --group-key /etc/vetnet/group.key
"""
import argparse
import os
import sys

from distributed import Client
from distributed.security import Security

import vetnet_job


def present(paths):
    """Which files this worker can read."""
    return [path is None or os.access(path, os.R_OK) for path in paths]


def connect(arguments):
    if arguments.scheduler.startswith("tls://"):
        security = Security(
            tls_ca_file=arguments.ca,
            tls_client_cert=arguments.cert,
            tls_client_key=arguments.key,
            require_encryption=True,
        )
        return Client(arguments.scheduler, security=security, set_as_default=False)
    return Client(arguments.scheduler, set_as_default=False)


def run_round(client, job):
    call = job.call()
    files = client.scatter(job.files, broadcast=True, hash=False) if job.files is not None else None
    has = client.run(present, [shard.get("practice") for shard in job.shards])
    failed, futures = {}, {}
    for number in range(len(job.shards)):
        workers = sorted(address for address, found in has.items() if found[number])
        if not workers:
            # One that is nowhere is said by the program itself, in its words.
            workers = sorted(has)
        futures[number] = client.submit(
            vetnet_job.map_shard, call, files, number, workers=workers, retries=3, pure=False, key=f"{job.kind}-{id(job)}-{number}"
        )
    done = {}
    for number, future in futures.items():
        part, why = future.result()
        if part is None:
            failed[number] = why
            print(f"{job.shards[number]['name']}: {why}", file=sys.stderr)
        else:
            done[number] = part
    parts = [client.scatter(done[number], hash=False) for number in sorted(done)]
    total = vetnet_job.tree(parts, lambda left, right: client.submit(vetnet_job.add, call, files, left, right, retries=3, pure=False))
    return (None if total is None else total.result()), failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--state", required=True, help="the job's folder")
    parser.add_argument("--scheduler", required=True, help="tls://HOST:PORT of a scheduler that is running")
    parser.add_argument("--ca", help="certificate of the authority that signed all others")
    parser.add_argument("--cert", help="this driver's certificate")
    parser.add_argument("--key", help="and its key")
    parser.add_argument("--vetnet", default="vetnet", help="the program, as workers find it")
    parser.add_argument("options", nargs="*", help="behind --: options for every shard, such as --group-key FILE")
    arguments = parser.parse_args()
    if arguments.scheduler.startswith("tls://") and not (arguments.ca and arguments.cert and arguments.key):
        parser.error("tls:// needs --ca, --cert and --key")
    if not arguments.scheduler.startswith(("tls://", "tcp://127.0.0.1:")):
        parser.error("a scheduler of another machine is reached by tls:// only")
    with connect(arguments) as client:
        client.upload_file(vetnet_job.__file__)
        while True:
            job = vetnet_job.Job(arguments.vetnet, arguments.state, arguments.options)
            part, failed = run_round(client, job)
            if not job.finish(part, failed, sys.stdout):
                return job.code


if __name__ == "__main__":
    sys.exit(main())
