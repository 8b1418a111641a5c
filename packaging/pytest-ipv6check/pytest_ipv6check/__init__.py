# SPDX-License-Identifier: Apache-2.0
"""Runs a session, or marked tests, on the networks of ipv6check, which does the work.

`pytest --ipv6check` starts pytest anew under `ipv6check`, with the same arguments. Each test that fails there is checked by itself: ipv6check
runs it again there and on dual-stack, and says why it fails. `@pytest.mark.ipv6only` has one test checked so in any session.

A session that runs on a network finds a variable in its environment: the file to which it writes how each test ended.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

import pytest

INSIDE = "IPV6CHECK_PYTEST"
# Set as well where one test is checked: what a session reports elsewhere is left alone.
ALONE = "IPV6CHECK_PYTEST_TEST"
NETWORK = "nat64"
# Each is three runs of pytest, or more.
MOST_CHECKED = 20
# The report of ipv6check on a test that it ran by itself.
VERDICTS = {
    "passes": "passes by itself: it fails now and then, or after other tests",
    "passes-here-only": "passes by itself, and fails on dual-stack",
    "flaky": "fails now and then",
    "fails-here": "fails on {network} alone: the same test passes on dual-stack",
    "fails-here-runs-there": "fails on {network}; on dual-stack it was still running when it was stopped",
    "fails-uncompared": "fails on {network}; not compared with dual-stack",
    "fails-everywhere": "fails on dual-stack too: no IPv6 problem shown",
    "times-out": "timed out",
    "not-judged": "not judged: the simulator was in its way",
}


def pytest_addoption(parser):
    parser.getgroup("ipv6check").addoption(
        "--ipv6check", nargs="?", const=NETWORK, metavar="NETWORK",
        help=f"run the session on this network of ipv6check (default: {NETWORK}), and check each test that fails")
    parser.addini("ipv6check_options", "options of ipv6check: --host-port 5432 --world world.yaml", type="args", default=[])


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config):
    if ALONE in os.environ:
        leave_alone(config.option)
    config.addinivalue_line(
        "markers", f"ipv6only(network='{NETWORK}'): run the test on this network of ipv6check, and compare with dual-stack")
    if INSIDE in os.environ and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Recorder(os.environ[INSIDE]), "ipv6check-recorder")


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config):
    option = config.option
    if option.ipv6check is None or INSIDE in os.environ:
        return None
    if option.collectonly or option.help or getattr(option, "version", 0) or option.markers or getattr(option, "showfixtures", False):
        return None
    if program() is None:
        raise pytest.UsageError(missing())
    return Session(config).run()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    marker = item.get_closest_marker("ipv6only")
    if marker is None or INSIDE in os.environ:
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    network = marker.kwargs.get("network", marker.args[0] if marker.args else NETWORK)
    for report in marked(item, network):
        item.ihook.pytest_runtest_logreport(report=report)
    # The test before has left what this one shares with it, for which there is no public function.
    item.session._setupstate.teardown_exact(nextitem)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


def leave_alone(option):
    """What a session does besides running tests, and has done: the test that is checked neither waits for its user nor reports."""
    for name, value in {"usepdb": False, "xmlpath": None, "htmlpath": None, "dist": "no", "tx": []}.items():
        if hasattr(option, name):
            setattr(option, name, value)


def program():
    return shutil.which(os.environ.get("IPV6CHECK", "ipv6check"))


def missing():
    return "ipv6check is not in PATH, nor where the variable IPV6CHECK says"


def inner_command():
    """As the user started it: the script adds nothing to sys.path, and `python -m pytest` does."""
    script = sys.argv[0]
    if os.path.isfile(script) and not script.endswith("__main__.py") and "pytest" in os.path.basename(script):
        return [sys.executable, script]
    return [sys.executable, "-m", "pytest"]


class Recorder:
    """Writes how tests ended, a line each. The file is one of several runs, each of which begins with a line of its own."""

    def __init__(self, path):
        self.path = path
        self.write({"session": os.getpid()})

    def write(self, record):
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")

    def pytest_runtest_logreport(self, report):
        self.write({
            "node": report.nodeid, "when": report.when, "outcome": report.outcome, "duration": report.duration,
            "text": report.longreprtext, "skipped": str(report.longrepr[2]) if isinstance(report.longrepr, tuple) else None,
        })

    def pytest_collectreport(self, report):
        if report.failed:
            self.write({"node": report.nodeid, "when": "collect", "outcome": "failed", "duration": 0, "text": report.longreprtext, "skipped": None})


class Run:
    """One run of ipv6check with pytest under it."""

    def __init__(self, config, options, arguments, alone=False):
        folder = tempfile.mkdtemp(prefix="pytest-ipv6check-")
        results, report = os.path.join(folder, "results"), os.path.join(folder, "report.json")
        environment = {**os.environ, INSIDE: results}
        if alone:
            environment[ALONE] = "1"
        client = [*inner_command(), *arguments]
        # This session prints ipv6check's own report: the client has another number of our standard error stream.
        errors = os.dup(2)
        if not alone:
            client = ["sh", "-c", f'exec "$@" 2>&{errors} {errors}>&-', "sh", *client]
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE} if alone else {"pass_fds": [errors]}
        command = [program(), "--quiet", "--json", report, *config.getini("ipv6check_options"), *options, "--", *client]
        process = subprocess.Popen(
            command, env=environment, cwd=config.invocation_params.dir, text=True, errors="replace",
            stderr=subprocess.STDOUT if alone else subprocess.PIPE, **streams)
        try:
            output, said = process.communicate()
            self.output = output or said
            self.report = self.load(report)
            # The first run's, which is the one that counts.
            self.tests = self.first_session(results)
        except KeyboardInterrupt:
            # It has the terminal's signal as well, and ends its client.
            process.wait()
            raise
        finally:
            os.close(errors)
            shutil.rmtree(folder, ignore_errors=True)

    @staticmethod
    def load(path):
        try:
            with open(path, encoding="utf-8") as file:
                return json.load(file)
        except (OSError, ValueError):
            return None

    @staticmethod
    def first_session(path):
        records = []
        try:
            with open(path, encoding="utf-8") as file:
                for line in file:
                    record = json.loads(line)
                    if "session" not in record:
                        records.append(record)
                    elif records:
                        break
        except (OSError, ValueError):
            pass
        return records

    @property
    def exit_status(self):
        """pytest's own, of the first run; None if that was ended by a signal or did not run."""
        runs = self.report["runs"] if self.report else []
        return runs[0].get("exitStatus") if runs else None

    @property
    def findings(self):
        return self.report["findings"] if self.report else []


class Session:
    """A session on a network, and what is said of it afterwards."""

    def __init__(self, config):
        self.config = config
        self.network, self.arguments, _ = split(config)

    def run(self):
        # This process's own tests would have no standard input; it runs none.
        capture = self.config.pluginmanager.getplugin("capturemanager")
        if capture is not None:
            capture.suspend_global_capture(in_=True)
        try:
            run = Run(self.config, ["--network", self.network, "--once"], self.arguments)
        except KeyboardInterrupt:
            return pytest.ExitCode.INTERRUPTED
        if run.report is None:
            raise pytest.UsageError(run.output.strip() or "ipv6check was ended")
        failed = list(dict.fromkeys(record["node"] for record in run.tests if record["outcome"] == "failed" and record["when"] != "collect"))
        said = {}
        try:
            for node in failed[:MOST_CHECKED]:
                said[node] = Check(self.config, node, self.network)
        except KeyboardInterrupt:
            return pytest.ExitCode.INTERRUPTED
        lines = []
        for node in failed:
            if node in said:
                lines += [f"{node} {said[node].sentence}", *(f"  {line}" for line in said[node].reasons)]
            else:
                lines.append(f"{node} was not checked: there were too many")
        if not failed:
            lines = in_lines(run.findings)
        if lines:
            self.write(f"ipv6check: {self.network}", lines)
        self.add_properties(said, run.findings)
        return run.exit_status if run.exit_status is not None else pytest.ExitCode.TESTS_FAILED

    def write(self, title, lines):
        width = min(shutil.get_terminal_size().columns, 120)
        print(f" {title} ".center(width, "="), *lines, sep="\n", flush=True)

    def add_properties(self, said, findings):
        """To the session's own JUnit file, which stands."""
        path = getattr(self.config.option, "xmlpath", None)
        if not path or not os.path.exists(path):
            return
        from _pytest.junitxml import mangle_test_address

        tree = ElementTree.parse(path)
        cases = {(case.get("classname"), case.get("name")): case for case in tree.iter("testcase")}
        for node, check in said.items():
            *classes, name = mangle_test_address(node)
            case = cases.get((".".join(filter(None, [getattr(self.config.option, "junitprefix", None), *classes])), name))
            if case is not None:
                add_properties(case, check.properties)
        for suite in tree.iter("testsuite"):
            add_properties(suite, [("ipv6check.network", self.network), *as_properties(findings)])
        tree.write(path, encoding="utf-8", xml_declaration=True)


class Check:
    """A test that ipv6check runs by itself."""

    def __init__(self, config, node, network):
        _, words, places = split(config)
        path, *names = node.split("::")
        place = "::".join([os.path.relpath(config.rootpath / path, config.invocation_params.dir), *names])
        cover = ["--no-cov"] if config.pluginmanager.hasplugin("_cov") else []
        with tempfile.TemporaryDirectory(prefix="pytest-ipv6check-") as cache:
            self.run = Run(config, ["--network", network], [*(word for word in words if word not in places), *cover, "-o", f"cache_dir={cache}", place], alone=True)
        verdict = self.run.report["verdict"] if self.run.report else None
        self.sentence = VERDICTS.get(verdict, "could not be checked").format(network=network)
        self.passes = verdict in ("passes", "passes-here-only")

    @property
    def reasons(self):
        if self.run.report is None:
            return self.run.output.splitlines()[-3:]
        return in_lines(self.run.findings)

    @property
    def properties(self):
        return [("ipv6check", self.sentence), *as_properties(self.run.findings)]


def describe(finding):
    """A finding in lines: number and title, what was seen, what helps."""
    lines = [f"{finding['rule']} {finding['title']}"]
    for observation in finding["observations"][:3]:
        place = f"{observation['file']}:{observation['line']}: " if observation.get("line") else ""
        lines.append(f"  {place}{observation['text']}")
    return [*lines, f"  fix: {finding['advice']}"]


def in_lines(findings):
    return [line for finding in findings for line in describe(finding)]


def as_properties(findings):
    return [("ipv6check.finding", " ".join(describe(finding))) for finding in findings]


def add_properties(element, pairs):
    properties = element.find("properties")
    if properties is None:
        properties = ElementTree.Element("properties")
        element.insert(0, properties)
    for name, value in pairs:
        ElementTree.SubElement(properties, "property", name=name, value=value)


def split(config):
    """The network, the session's arguments without it, and which of these are files, folders and tests. In `--ipv6check tests/` the word is no
    network: what may follow is optional."""
    network, arguments, places = config.option.ipv6check, [], set(config.option.file_or_dir)
    given = [str(argument) for argument in config.invocation_params.args]
    while given:
        word = given.pop(0)
        if word.startswith("--ipv6check="):
            continue
        if word != "--ipv6check":
            arguments.append(word)
        elif given and not given[0].startswith("-"):
            if os.path.exists(given[0].split("::")[0]):
                places.add(given[0])
                network = NETWORK
            else:
                given.pop(0)
    return network, arguments, places


def marked(item, network):
    """The reports of a test that runs on a network."""
    def report(when, outcome, text=None, duration=0.0, sections=(), properties=()):
        return pytest.TestReport(
            nodeid=item.nodeid, location=item.location, keywords={name: 1 for name in item.keywords}, outcome=outcome,
            longrepr=text, when=when, sections=list(sections), duration=duration, user_properties=list(properties))

    def place_and(reason):
        """How pytest tells of a test that was skipped."""
        return str(item.path), item.location[1] or 0, reason

    if program() is None:
        yield report("setup", "skipped", place_and(f"Skipped: {missing()}"))
        yield report("teardown", "passed")
        return
    check = Check(item.config, item.nodeid, network)
    records = [record for record in check.run.tests if record["node"] == item.nodeid]
    yield report("setup", "passed")
    duration = sum(record["duration"] for record in records)
    sections = [(f"ipv6check: {network}", "\n".join([check.sentence, *check.reasons]))]
    failed = [record["text"] for record in records if record["outcome"] == "failed"]
    skipped = [record["skipped"] for record in records if record["outcome"] == "skipped"]
    if check.run.report is None or not records:
        yield report("call", "failed", check.run.output, duration)
    elif failed or not check.passes:
        yield report("call", "failed", "\n".join(failed) or check.run.output, duration, sections)
    elif skipped:
        yield report("call", "skipped", place_and(skipped[0] or "Skipped"), duration)
    else:
        yield report("call", "passed", None, duration, sections)
    yield report("teardown", "passed", properties=check.properties)
