// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The container in which this process runs, if it does.
enum Container: String {
    case docker
    case podman
    /// A pod, whatever the runtime: containerd and CRI-O leave no marker file.
    case kubernetes
    case other

    static var current: Container? {
        if isInPod { return .kubernetes }
        if SystemControl.exists("/run/.containerenv") { return .podman }
        if SystemControl.exists("/.dockerenv") { return .docker }
        // systemd-nspawn, LXC and others set it for the first process.
        if SystemControl.exists("/run/systemd/container") { return .other }
        return nil
    }

    /// The kubelet sets it in every container of a pod.
    private static var isInPod: Bool { unsafe getenv("KUBERNETES_SERVICE_HOST") != nil }

    /// How a container must be started to allow namespaces and mounts inside it.
    ///
    /// Podman's seccomp profile permits user namespaces, so nothing is missing unless it was started with another profile. Those of Docker
    /// and containerd permit namespaces and mounts with CAP_SYS_ADMIN only, and their AppArmor profiles forbid mounts.
    var remedy: String {
        switch self {
        case .kubernetes:
            "securityContext: { capabilities: { add: [SYS_ADMIN, NET_ADMIN, NET_RAW, NET_BIND_SERVICE] }, appArmorProfile: { type: Unconfined } }"
        case .podman: "podman run --cap-add SYS_ADMIN --cap-add NET_ADMIN …"
        case .docker: "docker run --cap-add SYS_ADMIN --cap-add NET_ADMIN --security-opt apparmor=unconfined …"
        case .other: "give the container CAP_SYS_ADMIN and CAP_NET_ADMIN, and a security profile that permits mounts"
        }
    }

    /// How a container must be started to allow TUNs inside it.
    var deviceRemedy: String {
        switch self {
        case .kubernetes: "a hostPath volume of type CharDevice at /dev/net/tun"
        case .podman, .docker: "\(rawValue) run --device /dev/net/tun …"
        case .other: "give the container the device /dev/net/tun"
        }
    }

    /// How a container must be started to allow packet sockets inside it.
    var packetSocketRemedy: String {
        switch self {
        case .kubernetes: "securityContext: { capabilities: { add: [NET_RAW] } }"
        case .podman, .docker: "\(rawValue) run --cap-add NET_RAW …"
        case .other: "give the container CAP_NET_RAW"
        }
    }

    /// How a container must be started to have IPv6 in its own network namespace, which Docker disables.
    var ipv6Remedy: String {
        switch self {
        case .kubernetes:
            "securityContext: { sysctls: [{ name: net.ipv6.conf.all.disable_ipv6, value: \"0\" }] } of the pod"
        case .podman, .docker: "\(rawValue) run --sysctl net.ipv6.conf.all.disable_ipv6=0 …"
        case .other: "set net.ipv6.conf.all.disable_ipv6 to 0 in the container's configuration"
        }
    }
}
