# SPDX-License-Identifier: Apache-2.0
import os
import pathlib
import subprocess
import sys

import pytest

SHOP = """
import socket

ADDRESS = "198.51.100.10"

def fetch(host):
    with socket.create_connection((host, 80), timeout=5) as connection:
        connection.sendall(b"GET / HTTP/1.0\\r\\nHost: shop.test\\r\\n\\r\\n")
        return connection.recv(100)

def fetch_fast():
    return fetch(ADDRESS)
"""


class Project:
    """A project with tests, and what pytest says of it."""

    def __init__(self, folder):
        self.folder = folder
        self.write("shop.py", SHOP)
        self.write("pytest.ini", "[pytest]\npythonpath = .\n")

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def read(self, name):
        return (self.folder / name).read_text()

    def pytest(self, *arguments, stdin="", **environment):
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("IPV6CHECK_PYTEST", "PYTEST_"))}
        return subprocess.run(
            [sys.executable, "-m", "pytest", *arguments], cwd=self.folder, env={**clean, "COLUMNS": "100", **environment}, input=stdin,
            capture_output=True, text=True, timeout=300)


@pytest.fixture
def project(tmp_path):
    return Project(pathlib.Path(tmp_path))
