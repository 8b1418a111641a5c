# SPDX-License-Identifier: Apache-2.0
"""`pytest --ipv6check`: the session on the network, and what is said of the tests that fail there."""

import importlib.util
import socket
import threading
import xml.etree.ElementTree as ElementTree

import pytest

MIXED = """
import shop

def note(name):
    with open("ran", "a") as file: file.write(name + "\\n")

def test_name():
    note("name")
    assert shop.fetch("shop.test")

def test_literal():
    note("literal")
    assert shop.fetch_fast()

def test_wrong():
    assert 1 == 2
"""


def needs(module):
    return pytest.mark.skipif(importlib.util.find_spec(module) is None, reason=f"{module} is not installed")


def test_what_fails_there_alone_is_told_from_what_fails_everywhere(project):
    project.write("tests/test_shop.py", MIXED)
    end = project.pytest("--ipv6check", "tests", "--junitxml", "report.xml")
    assert end.returncode == 1, end.stdout + end.stderr
    assert "2 failed, 1 passed" in end.stdout
    said = end.stdout.partition("ipv6check: nat64")[2]
    assert "tests/test_shop.py::test_literal fails on nat64 alone: the same test passes on dual-stack" in said
    assert "shop.py:7: connect(198.51.100.10 port 80" in said and "from shop.py:4" in said and "fix: " in said
    assert "tests/test_shop.py::test_wrong fails on dual-stack too" in said
    assert "test_name" not in said
    assert "ipv6check: FAIL" not in end.stderr
    # A test that passed has run once.
    assert project.read("ran").count("name") == 1
    cases = {case.get("name"): case for case in ElementTree.parse(project.folder / "report.xml").iter("testcase")}
    properties = {name: {p.get("name"): p.get("value") for p in case.iter("property")} for name, case in cases.items()}
    assert properties["test_literal"]["ipv6check"].startswith("fails on nat64 alone")
    assert "shop.py:7" in properties["test_literal"]["ipv6check.finding"]
    assert properties["test_wrong"]["ipv6check"].startswith("fails on dual-stack too")
    assert properties["test_name"] == {}


def test_a_green_session_stays_green_and_says_nothing(project):
    project.write("tests/test_shop.py", "import shop\ndef test_name(): assert shop.fetch('shop.test')\n")
    end = project.pytest("--ipv6check")
    assert end.returncode == 0 and "1 passed" in end.stdout and "ipv6check: nat64" not in end.stdout


def test_the_network_can_be_named(project):
    project.write("tests/test_shop.py", "import shop\ndef test_name(): assert shop.fetch('shop.test')\n")
    end = project.pytest("--ipv6check=strict", "tests")
    assert end.returncode == 1 and "fails on strict alone" in end.stdout, end.stdout
    end = project.pytest("--ipv6check=moon")
    assert end.returncode == 4 and "moon" in end.stderr, end.stderr


def test_a_warning_of_a_green_session_is_told(project):
    project.write("tests/test_shop.py", "import socket\ndef test_old(): socket.gethostbyname('shop.test')\ndef test_nothing(): pass\n")
    end = project.pytest("--ipv6check")
    assert end.returncode == 0 and "V6C-" in end.stdout, end.stdout


def test_a_test_that_passes_by_itself_is_no_ipv6_problem(project):
    project.write("tests/test_order.py", "state = []\ndef test_first(): state.append(1)\ndef test_second(): assert not state\n")
    end = project.pytest("--ipv6check")
    assert end.returncode == 1
    assert "test_second passes by itself" in end.stdout, end.stdout


def test_names_of_tests_are_taken_as_they_are(project):
    project.write("tests/deep/test_kinds.py", """
import shop, pytest, unittest

@pytest.mark.parametrize("path", ["a b", "x::y", "[z]", "ä"])
def test_each(path): assert shop.fetch_fast()

class TestClass:
    def test_method(self): assert shop.fetch_fast()

class TestUnit(unittest.TestCase):
    def test_case(self): self.assertTrue(shop.fetch_fast())
""")
    end = project.pytest("--ipv6check")
    assert end.stdout.count("fails on nat64 alone") == 6, end.stdout


def test_setup_that_fails_there_is_checked_as_well(project):
    project.write("tests/test_setup.py", "import shop, pytest\n@pytest.fixture\ndef page(): return shop.fetch_fast()\ndef test_page(page): assert page\n")
    end = project.pytest("--ipv6check")
    assert end.returncode == 1 and "test_page fails on nat64 alone" in end.stdout, end.stdout


def test_errors_of_collection_are_pytests_own(project):
    project.write("tests/test_broken.py", "import nothing_of_this_name\n")
    end = project.pytest("--ipv6check")
    assert end.returncode == 2 and "nothing_of_this_name" in end.stdout
    end = project.pytest("--ipv6check", "no/such/file.py")
    assert end.returncode == 4


def test_a_session_that_is_killed_is_red(project):
    project.write("tests/test_killed.py", "import os, signal\ndef test_killed(): os.kill(os.getpid(), signal.SIGKILL)\n")
    assert project.pytest("--ipv6check").returncode != 0


def test_options_of_ipv6check_are_the_projects(project):
    server = socket.create_server(("127.0.0.1", 0))
    port = server.getsockname()[1]

    def serve():
        while True:
            server.accept()[0].sendall(b"hello")

    threading.Thread(target=serve, daemon=True).start()
    project.write("pytest.ini", f"[pytest]\npythonpath = .\nipv6check_options = --host-port {port}\naddopts = --ipv6check\n")
    project.write("tests/test_database.py", f"import socket\ndef test_database(): assert socket.create_connection(('127.0.0.1', {port}), 5).recv(5)\n")
    end = project.pytest()
    assert end.returncode == 0, end.stdout + end.stderr
    project.write("pytest.ini", "[pytest]\n")
    end = project.pytest("--ipv6check")
    assert end.returncode == 1


def test_without_the_program_it_is_an_error(project):
    project.write("tests/test_shop.py", "def test_it(): pass\n")
    end = project.pytest("--ipv6check", IPV6CHECK="/nowhere/ipv6check")
    assert end.returncode == 4 and "ipv6check is not in PATH" in end.stderr
    # A session that runs no test needs none.
    assert project.pytest("--ipv6check", "--collect-only", IPV6CHECK="/nowhere/ipv6check").returncode == 0


def test_a_debugger_has_the_terminal_and_the_check_has_none(project):
    project.write("tests/test_shop.py", MIXED)
    end = project.pytest("--ipv6check", "--pdb", "-k", "literal", stdin="p 6 * 7\nc\n")
    assert "42" in end.stdout and "fails on nat64 alone" in end.stdout, end.stdout + end.stderr


def test_the_last_failed_stay(project):
    project.write("tests/test_shop.py", MIXED)
    project.pytest("--ipv6check")
    end = project.pytest("--ipv6check", "--lf")
    assert "2 failed" in end.stdout and "1 passed" not in end.stdout, end.stdout
    assert "test_literal fails on nat64 alone" in end.stdout


@needs("xdist")
def test_xdist(project):
    project.write("tests/test_shop.py", MIXED)
    end = project.pytest("--ipv6check", "-n", "2")
    assert end.returncode == 1 and "2 failed, 1 passed" in end.stdout
    assert "test_literal fails on nat64 alone" in end.stdout and "test_wrong fails on dual-stack too" in end.stdout, end.stdout


@needs("pytest_cov")
def test_coverage(project):
    project.write("tests/test_shop.py", MIXED)
    end = project.pytest("--ipv6check", "--cov=shop", "--cov-report=term")
    assert "shop.py" in end.stdout and "100%" in end.stdout and "test_literal fails on nat64 alone" in end.stdout, end.stdout
