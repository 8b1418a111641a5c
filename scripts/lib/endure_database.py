# SPDX-License-Identifier: Apache-2.0
"""The trial of scripts/endure with a database as a server of the world."""

import os
import shutil
import signal
import subprocess
import tempfile
import time

FIXTURE = os.path.join(os.path.dirname(__file__), "../../fixtures/clients/postgresql")


def run(binaries, world, statement, **options):
    environment = dict(os.environ, PGUSER="postgres", PGCONNECT_TIMEOUT="20")
    return subprocess.Popen(
        [f"{binaries}/ipv6check", "-v", "--control", "never", "--world", world, "psql", "-h", "db.test", "-Atc", statement],
        cwd=FIXTURE, env=environment, stdin=subprocess.DEVNULL, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, **options)


def expect_pass(process, answer, trouble, silent=()):
    try:
        said, report = process.communicate(timeout=120)
    except subprocess.TimeoutExpired:
        process.kill()
        raise trouble(f"a run with a database hangs: {process.communicate()}")
    if process.returncode != 0 or answer not in said.split():
        raise trouble(f"psql ended with {process.returncode}, and said {said!r}: {report}")
    for text in silent:
        if text in report:
            raise trouble(f"the database says {text!r}: {report}")


def wait_for_end(folder, trouble):
    """Until no database serves what is in the folder."""
    deadline = time.monotonic() + 20
    while os.path.exists(f"{folder}/data/postmaster.pid"):
        if time.monotonic() > deadline:
            raise trouble("the database still runs, or did not end in order")
        time.sleep(0.01)


def kept_world(folder):
    """The fixture's world with a database in this folder, which outlives a check."""
    with open(f"{FIXTURE}/world.yaml") as file:
        text = file.read()
    path = f"{folder}/world.yaml"
    with open(path, "w") as file:
        file.write(text.replace("{state}", folder))
    return path


def database(binaries, count, trouble):
    for _ in range(count):
        expect_pass(run(binaries, "world.yaml", "create table t (n int); select 6 * 7"), "42", trouble)
    folder = tempfile.mkdtemp(prefix="endure-")
    os.chmod(folder, 0o755)
    try:
        world = kept_world(folder)
        expect_pass(run(binaries, world, "create table t (n int); select 6 * 7"), "42", trouble)
        for how in [signal.SIGKILL, signal.SIGINT, signal.SIGTERM] * max(1, count // 10):
            process = run(binaries, world, "insert into t select 1 from generate_series(1, 100000); select pg_sleep(60)")
            # In the middle: what it inserts is in the write-ahead log, and in no checkpoint.
            time.sleep(2)
            process.send_signal(how)
            process.communicate(timeout=60)
            wait_for_end(folder, trouble)
            expect_pass(
                run(binaries, world, "select 6 * 7"), "42", trouble,
                silent=["not properly shut down", "was interrupted", "redo starts"])
    finally:
        shutil.rmtree(folder)
    print(f"{count} runs with a new database; killed and cancelled ones leave one that starts clean")
