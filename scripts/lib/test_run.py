#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What scripts/test does with its tests, beside the building.

    test_run.py jobs FILTER SKIP COMMAND…   makes jobs of the list of tests in standard input: one for each suite that FILTER takes and SKIP does not
    test_run.py queue LOGS TIMES WORKERS    runs the jobs of standard input, WORKERS at a time, the longest first
    test_run.py summary LOGS TIMES STAGES passed|failed   prints what failed, the slowest tests and the stages beside the table in TIMES

A job is a line "name<TAB>shell command". Its output goes to a file of its own in LOGS; a job that fails has it printed at the end of the queue, as
far as it is about the failure. LOGS holds the logs of all stages, STAGES a line "name<TAB>seconds<TAB>percent that the
processors were busy" for each. TIMES is committed: the seconds that each
stage and each job took in the last run that passed, which rewrites it.
"""
import collections
import os
import re
import shlex
import signal
import subprocess
import sys
import time

JOB_LIMIT = 1200  # Seconds. A job that takes longer hangs.
GROWN = 1.2  # A stage that took so many times as long as in the table is named.
SLOWEST = 20
CONTEXT = 60  # Lines of a failed job's log before its end, beside those about failures.


def read_times(path):
    times = {}
    if os.path.exists(path):
        for line in open(path, encoding="utf-8"):
            if not line.startswith("#") and "\t" in line:
                name, seconds = line.rstrip("\n").split("\t")
                times[name] = float(seconds)
    return times


def write_times(path, times):
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write("# Seconds of each stage and job of scripts/test, on two processors. Written by the last run that passed; it orders the queue.\n")
        for name in sorted(times):
            file.write(f"{name}\t{times[name]:.0f}\n")
    os.replace(path + ".new", path)


def about_failure(log):
    """The lines of a log that a person looks for: the issues, and the end."""
    lines = open(log, encoding="utf-8", errors="replace").read().splitlines()
    end = len(lines) - CONTEXT
    return [line for index, line in enumerate(lines) if index >= end or "✘" in line or "recorded an issue" in line or "FAILED" in line]


def suites(filter, skip):
    """The suites of a list of tests, in its order: `Module.Suite`, and below `EndToEnd`, which holds suites, `Module.EndToEnd/Suite`."""
    found = {}
    for line in sys.stdin:
        if re.search(filter, line) and not re.search(skip, line):
            parts = line.strip().split("/")
            found["/".join(parts[:2] if parts[0].endswith(".EndToEnd") else parts[:1])] = True
    return list(found)


def jobs(filter, skip, command):
    for suite in suites(filter, skip):
        one = [*command, "--no-parallel", "--filter", f"^{re.escape(suite)}[./]", "--skip", skip]
        print(f"{suite}\t{shlex.join(one)} 2>&1 | sed 's/\\x1b\\[[0-9;]*m//g'")


def queue(logs, times_path, workers):
    times = read_times(times_path)
    jobs = [line.rstrip("\n").split("\t", 1) for line in sys.stdin if line.strip()]
    # A new job may be the longest.
    jobs.sort(key=lambda job: -times.get("job " + job[0], float("inf")))
    running, failed = {}, []

    def end_all(number, _):
        for process in running:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        sys.exit(128 + number)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, end_all)
    took = open(os.path.join(logs, "jobs"), "a", encoding="utf-8")
    total = len(jobs)
    done = 0
    while jobs or running:
        while jobs and len(running) < workers:
            name, command = jobs.pop(0)
            log = os.path.join(logs, "job-" + re.sub(r"[^A-Za-z0-9]+", "-", name) + ".log")
            process = subprocess.Popen(
                ["bash", "-o", "pipefail", "-c", command], stdin=subprocess.DEVNULL, stdout=open(log, "wb"), stderr=subprocess.STDOUT, start_new_session=True)
            running[process] = (name, log, time.monotonic())
        time.sleep(0.05)
        for process in list(running):
            name, log, start = running[process]
            seconds = time.monotonic() - start
            ended, status, usage = os.wait4(process.pid, os.WNOHANG)
            if not ended:
                if seconds < JOB_LIMIT:
                    continue
                os.killpg(process.pid, signal.SIGKILL)
                _, status, usage = os.wait4(process.pid, 0)
                open(log, "a", encoding="utf-8").write(f"\nFAILED: stopped after {JOB_LIMIT} s\n")
            process.returncode = os.waitstatus_to_exitcode(status)
            del running[process]
            done += 1
            good = process.returncode == 0
            # The processor time of the job and of all children that it has waited for.
            busy = usage.ru_utime + usage.ru_stime
            print(f"{'ok    ' if good else 'FAILED'} {seconds:5.0f} s, {busy:5.0f} s of processor  {name}  ({done} of {total})", flush=True)
            took.write(f"{name}\t{seconds}\n")
            if not good:
                failed.append((name, log))
    for name, log in failed:
        print(f"\n--- {name} ---")
        print("\n".join(about_failure(log)))
    sys.exit(1 if failed else 0)


def summary(logs, times_path, stages_path, result):
    before = read_times(times_path)
    tests, issues = collections.Counter(), []
    for name in sorted(os.listdir(logs)):
        for line in open(os.path.join(logs, name), encoding="utf-8", errors="replace"):
            # The units go side by side: theirs is mostly the time of others.
            if name.startswith("job-") and (match := re.match(r"^\S+ Test (?!run )(.*?)(?: with \d+ test cases?)? (?:passed|failed) after ([0-9.]+) seconds", line)):
                tests[match[1]] = max(tests[match[1]], float(match[2]))
            if re.match(r"^✘ Test .* recorded an issue|^ *FAILED", line):
                issues.append(line.rstrip())
    now = {}
    print(f"\nThe {SLOWEST} slowest process tests, in seconds:")
    for name, seconds in tests.most_common(SLOWEST):
        print(f"  {seconds:6.1f}  {name}")
    print("\nStages, in seconds:")
    for line in open(stages_path, encoding="utf-8"):
        name, seconds, busy = line.rstrip("\n").split("\t")
        now["stage " + name] = float(seconds)
        table = before.get("stage " + name)
        grown = table and float(seconds) > table * GROWN and float(seconds) > table + 5
        print(f"  {float(seconds):6.0f}  {name}, the processors {busy} % busy" + (f"  (longer than the {table:.0f} of {os.path.basename(times_path)})" if grown else ""))
    print(f"  {sum(now.values()):6.0f}  all")
    if os.path.exists(os.path.join(logs, "jobs")):
        for line in open(os.path.join(logs, "jobs"), encoding="utf-8"):
            name, seconds = line.rstrip("\n").split("\t")
            now["job " + name] = float(seconds)
    if issues:
        print("\nFailed:")
        print("\n".join(issues))
    if result == "passed":
        write_times(times_path, {**{name: seconds for name, seconds in before.items() if name not in now and name.startswith("job ")}, **now})


if __name__ == "__main__":
    if sys.argv[1] == "jobs":
        jobs(sys.argv[2], sys.argv[3], sys.argv[4:])
    elif sys.argv[1] == "queue":
        queue(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    else:
        summary(*sys.argv[2:6])
