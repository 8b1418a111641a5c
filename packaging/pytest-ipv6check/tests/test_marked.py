# SPDX-License-Identifier: Apache-2.0
"""`@pytest.mark.ipv6only`: single tests on a network, in a session that is on none."""

import importlib.util

import pytest

MARKED = """
import shop, pytest

@pytest.mark.ipv6only
def test_name(): assert shop.fetch("shop.test")

@pytest.mark.ipv6only
def test_literal(): assert shop.fetch_fast()

@pytest.mark.ipv6only(network="strict")
def test_strict(): assert shop.fetch("shop.test")

@pytest.mark.ipv6only
def test_skipped(): pytest.skip("no reason")

@pytest.mark.ipv6only
def test_nothing(): assert 1 == 2

def test_other():
    with pytest.raises(OSError): shop.fetch("shop.test")
"""


def test_each_runs_there_and_is_compared(project):
    project.write("tests/test_shop.py", MARKED)
    end = project.pytest("-rs", "--strict-markers")
    assert end.returncode == 1, end.stdout + end.stderr
    assert "3 failed, 2 passed, 1 skipped" in end.stdout, end.stdout
    assert "fails on nat64 alone: the same test passes on dual-stack" in end.stdout
    assert "shop.py:7: connect(198.51.100.10 port 80" in end.stdout
    assert "fails on strict alone" in end.stdout
    assert "fails on dual-stack too" in end.stdout
    assert "no reason" in end.stdout


@pytest.mark.skipif(importlib.util.find_spec("xdist") is None, reason="xdist is not installed")
def test_each_runs_there_with_xdist(project):
    project.write("tests/test_shop.py", MARKED)
    end = project.pytest("-n", "2")
    assert "3 failed, 2 passed, 1 skipped" in end.stdout, end.stdout


def test_fixtures_of_others_are_torn_down_around_it(project):
    marked = "\n@pytest.mark.ipv6only\ndef test_name(): assert shop.fetch('shop.test')\n"
    for name in ("one", "two"):
        project.write(f"tests/test_{name}.py", f"""
import pytest, shop

@pytest.fixture(scope="module", autouse=True)
def around():
    yield
    with open("ran", "a") as file: file.write("{name}\\n")

def test_other(): pass
{marked}""")
    project.write("tests/test_last.py", "def test_last(): pass\n")
    end = project.pytest("-k", "other or name or last", "tests/test_one.py", "tests/test_two.py", "tests/test_last.py")
    assert end.returncode == 0 and "5 passed" in end.stdout, end.stdout
    # Once by the session, and once by the process of the marked test.
    assert project.read("ran").split().count("one") == 2 and project.read("ran").split().count("two") == 2


def test_junit_has_the_findings(project):
    project.write("tests/test_shop.py", MARKED)
    project.pytest("--junitxml=report.xml", "-k", "literal")
    report = project.read("report.xml")
    assert 'name="ipv6check" value="fails on nat64 alone' in report and "ipv6check.finding" in report


def test_in_a_session_on_a_network_it_is_a_test_as_others(project):
    project.write("tests/test_shop.py", MARKED)
    end = project.pytest("--ipv6check", "-k", "name")
    assert end.returncode == 0 and "1 passed" in end.stdout


def test_without_the_program_it_is_skipped_with_the_reason(project):
    project.write("tests/test_shop.py", MARKED)
    end = project.pytest("-rs", "-k", "name", IPV6CHECK="/nowhere/ipv6check")
    assert end.returncode == 0 and "1 skipped" in end.stdout and "ipv6check is not in PATH" in end.stdout


def test_where_the_network_cannot_be_made_it_fails(project):
    project.write("tests/test_shop.py", "import pytest\n@pytest.mark.ipv6only(network='moon')\ndef test_it(): pass\n")
    end = project.pytest()
    assert end.returncode == 1 and "moon" in end.stdout, end.stdout
