#!/usr/bin/env python3
"""Does a job of `vetnet network` on Spark: shards as tasks, the sum as a tree.

    vetnet network model /srv/practices --out group.vnm --plan-only --state job
    spark_driver.py --state job --master spark://10.0.0.5:7077 -- --group-key /etc/vetnet/group.key

What executors and driver say to each other is authenticated and encrypted; no REST server listens. A practice file has to be in reach of every
executor under the same path.
"""
import argparse
import os
import secrets
import sys

from pyspark import SparkConf, SparkContext

import vetnet_job


def context(arguments):
    settings = {
        "spark.authenticate": "true",
        "spark.network.crypto.enabled": "true",
        "spark.master.rest.enabled": "false",
        "spark.ui.enabled": "false",
        "spark.task.maxFailures": "4",
        "spark.driver.maxResultSize": "0",
        "spark.rpc.message.maxSize": "1024",
    }
    if arguments.master.startswith("local"):
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        settings["spark.driver.bindAddress"] = "127.0.0.1"
        settings["spark.driver.host"] = "127.0.0.1"
        settings["spark.authenticate.secret"] = secrets.token_hex(32)
    configuration = SparkConf().setMaster(arguments.master).setAppName("vetnet")
    for key, value in settings.items():
        configuration.set(key, value)
    for word in arguments.conf:
        key, _, value = word.partition("=")
        configuration.set(key, value)
    return SparkContext(conf=configuration)


def run_round(spark, job):
    call = job.call()
    files = spark.broadcast(job.files)

    def one(number):
        return number, vetnet_job.map_shard(call, files.value, number)

    def pair(parts):
        place, (left, right) = parts
        return place, (left if right is None else vetnet_job.add(call, files.value, left, right))

    count = len(job.shards)
    results = dict(spark.parallelize(range(count), count).map(one).collect())
    failed = {number: why for number, (part, why) in results.items() if part is None}
    for number, why in sorted(failed.items()):
        print(f"{job.shards[number]['name']}: {why}", file=sys.stderr)
    parts = [results[number][0] for number in sorted(results) if number not in failed]
    # Level by level: each level's sums are tasks of their own.
    while len(parts) > 1:
        pairs = [(i // 2, (parts[i], parts[i + 1] if i + 1 < len(parts) else None)) for i in range(0, len(parts), 2)]
        parts = [part for _, part in sorted(spark.parallelize(pairs, len(pairs)).map(pair).collect(), key=lambda item: item[0])]
    files.unpersist()
    return (parts[0] if parts else None), failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--state", required=True, help="the job's folder")
    parser.add_argument("--master", required=True, help="spark://HOST:PORT of a master that is running, or local[N]")
    parser.add_argument("--vetnet", default="vetnet", help="the program, as executors find it")
    parser.add_argument("--conf", action="append", default=[], help="KEY=VALUE of Spark, such as spark.authenticate.secret")
    parser.add_argument("options", nargs="*", help="behind --: options for every shard, such as --group-key FILE")
    arguments = parser.parse_args()
    spark = context(arguments)
    spark.setLogLevel("ERROR")
    spark.addPyFile(vetnet_job.__file__)
    try:
        while True:
            job = vetnet_job.Job(arguments.vetnet, arguments.state, arguments.options)
            part, failed = run_round(spark, job)
            if not job.finish(part, failed, sys.stdout):
                return job.code
    finally:
        spark.stop()


if __name__ == "__main__":
    sys.exit(main())
