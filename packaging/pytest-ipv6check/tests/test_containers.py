# SPDX-License-Identifier: Apache-2.0
"""Tried by scripts/test-container, which has an engine and the image."""

import os

import pytest

pytest.importorskip("testcontainers")
IMAGE = os.environ.get("IPV6CHECK_IMAGE")
if not IMAGE:
    pytest.skip("needs an engine and the image: scripts/test-container", allow_module_level=True)

from testcontainers.core.container import DockerContainer

from pytest_ipv6check.containers import Nat64Container

BY_NAME = "exec 3<>/dev/tcp/{}/80 && printf 'GET /ip HTTP/1.0\\r\\n\\r\\n' >&3 && cat <&3"


def shop():
    # An application's own image has all that it needs; bash is in this one, too.
    return DockerContainer(IMAGE).with_command(["sleep", "300"]).with_kwargs(cap_drop=["ALL"])


def test_a_container_has_the_world_by_name_and_no_ipv4():
    with Nat64Container(IMAGE) as network, network.join(shop()) as application:
        answer = application.exec(["bash", "-c", BY_NAME.format("shop.test")])
        assert answer.exit_code == 0 and b"HTTP/1." in answer.output, answer.output
        literal = application.exec(["bash", "-c", BY_NAME.format("198.51.100.10")])
        assert literal.exit_code != 0 and b"Network is unreachable" in literal.output


def test_a_configuration_with_its_world(tmp_path):
    (tmp_path / "network.yaml").write_text("version: 1\nclients: { here: nat64 }\nworld: world.yaml\n")
    (tmp_path / "world.yaml").write_text("version: 1\nhosts: { api.test: { addresses: [203.0.113.9], services: [http] } }\n")
    with Nat64Container(IMAGE, configuration=tmp_path / "network.yaml") as network, network.join(shop()) as application:
        assert application.exec(["bash", "-c", BY_NAME.format("api.test")]).exit_code == 0
        assert application.exec(["bash", "-c", BY_NAME.format("shop.test")]).exit_code != 0


def test_a_configuration_that_is_not_there_is_told_at_once(tmp_path):
    with pytest.raises(FileNotFoundError):
        Nat64Container(IMAGE, configuration=tmp_path / "none.yaml")


def test_a_configuration_with_a_mistake_is_told_in_the_simulators_words(tmp_path):
    (tmp_path / "network.yaml").write_text("version: 1\nclients: { here: nat65 }\n")
    with pytest.raises(RuntimeError, match="network.yaml:2:.*nat65"):
        Nat64Container(IMAGE, configuration=tmp_path / "network.yaml").start()
