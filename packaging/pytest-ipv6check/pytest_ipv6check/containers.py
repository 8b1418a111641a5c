# SPDX-License-Identifier: Apache-2.0
"""An IPv6-only network for the containers of a test, with testcontainers."""

import pathlib
import time

from docker.errors import APIError
from testcontainers.core.container import DockerContainer

CONFIGURATION = "/etc/nat64sim/network.yaml"
# As docker-compose.yml has them, with the reasons.
CAPABILITIES = ["SYS_ADMIN", "NET_ADMIN", "NET_BIND_SERVICE", "SETUID", "SETGID", "SETPCAP", "SYS_CHROOT", "KILL"]
SECONDS = 60
RESOLVER = pathlib.Path(__file__).with_name("resolv.conf")


class Nat64Container(DockerContainer):
    """A simulator, whose network other containers join: IPv6 with DNS64 and NAT64, the hosts of a world, and no way out.

        with Nat64Container() as network, network.join(DockerContainer("shop")) as shop:
            assert shop.exec(["shop", "fetch"]).exit_code == 0

    configuration: a file of `nat64sim serve`, such as `{ version: 1, clients: { here: strict }, world: world.yaml }`. All files of its
    folder are given to the simulator.
    """

    def __init__(self, image="ghcr.io/owner/ipv6check:0.1.0", configuration=None, **options):
        super().__init__(image, **options)
        file = CONFIGURATION
        if configuration is not None:
            given = pathlib.Path(configuration).resolve(strict=True)
            self.with_volume_mapping(str(given.parent), "/configuration", "ro")
            file = f"/configuration/{given.name}"
        # The daemon leaves its network namespace; tini stays in it, for others to join.
        self.with_command(["tini", "--", "nat64sim", "serve", "--config", file])
        self.with_kwargs(
            network_mode="none", devices=["/dev/net/tun"], cap_drop=["ALL"], cap_add=CAPABILITIES,
            sysctls={"net.ipv6.conf.all.disable_ipv6": "0"})

    def start(self):
        """Waits until it serves; a simulator that ends says why."""
        super().start()
        container = self.get_wrapped_container()
        end = time.monotonic() + SECONDS
        while container.status in ("created", "running") and time.monotonic() < end:
            try:
                if container.exec_run(["nat64sim", "status"]).exit_code == 0:
                    return self
            except APIError:
                pass  # It has ended, which its status tells.
            time.sleep(0.05)
            container.reload()
        said = container.logs().decode(errors="replace").strip()
        self.stop()
        raise RuntimeError(f"the simulator does not serve: {said}")

    def join(self, container):
        """Puts a container that is not started yet on the network, and returns it. It exposes no ports: a test asks it by `exec`."""
        container.with_kwargs(network_mode=f"container:{self.get_wrapped_container().id}")
        return container.with_volume_mapping(str(RESOLVER), "/etc/resolv.conf", "ro")
