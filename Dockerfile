# ipv6check and nat64sim in an image; docker-compose.yml shows its use, docs/containers.md says what works with which rights.
#
#   docker build -t ipv6check .
#   docker run --rm ipv6check ipv6check doctor
#
# Podman builds it as well (--format docker keeps the health check).

# Packages that the programs need at run time.
FROM docker.io/library/debian:bookworm-slim AS base
# libdw tells lines, libpcap reads packet files, libunbound validates; nft and pasta are the ways out to the host's network; tini is
# a first process that stays in the network namespace of its container, which others join.
# Neither documents nor translations of them are in it.
RUN apt-get update \
    && printf 'path-exclude=/usr/share/%s/*\n' doc locale man >/etc/dpkg/dpkg.cfg.d/small \
    && apt-get install -y --no-install-recommends ca-certificates libdw1 libpcap0.8 libunbound8 nftables passt tini \
    && apt-get clean && rm -rf /var/lib/apt/lists/* /var/cache/debconf/* /var/lib/dpkg/*-old /var/log/* /usr/bin/tini-static
COPY fixtures/containers/*.yaml /etc/nat64sim/
# Where the sockets are: a volume takes over the folder.
RUN mkdir /run/nat64sim
WORKDIR /work
# Root, because neither Docker nor Podman hands an ordinary user the capabilities that --cap-add names. The process that serves gives up
# all of them once its links stand, and forbids itself (seccomp) to get others. `--user` works wherever user namespaces do:
# with Podman's usual seccomp profile, and not with Docker's.
#
# No port is exposed: clients come through the attach socket, or share the network namespace.
# A release gives them (scripts/release image); a build by hand has the defaults.
ARG VERSION=unreleased REVISION= SOURCE=
LABEL org.opencontainers.image.title=ipv6check \
    org.opencontainers.image.description="Says whether a program works on an IPv6-only network, and why not" \
    org.opencontainers.image.licenses=Apache-2.0 \
    org.opencontainers.image.version=$VERSION \
    org.opencontainers.image.revision=$REVISION \
    org.opencontainers.image.source=$SOURCE
HEALTHCHECK --interval=5s --timeout=5s --start-period=30s CMD ["nat64sim", "status"]
CMD ["nat64sim", "serve", "--config", "/etc/nat64sim/simulator.yaml"]

# The same with the programs of .build/container, where scripts/test-container has installed them: it need not build twice.
FROM base AS prebuilt
COPY .build/container /usr/local

FROM docker.io/library/swift:6.3-bookworm AS build
# For the library that is preloaded into programs of the other C library; scripts/install says what else it needs.
RUN apt-get update && apt-get install -y --no-install-recommends musl-tools && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN scripts/install /installed

FROM base AS simulator
COPY --from=build /installed /usr/local
