// SPDX-License-Identifier: Apache-2.0
internal import LinuxNet
package import Sandbox
package import Wire

/// The reason that the host's network cannot be used, and the remedy.
package enum UplinkError: Error, Hashable, Sendable {
    /// A required program is missing: its name, and its Debian package.
    case missing(program: String, package: String)
    /// An ordinary user, but pasta is missing.
    case noWayOut
    /// The maximum number of simulators already use this network.
    case busy
    /// Another simulator has been starting for too long.
    case starting
    /// The host itself has an address of the simulated network.
    case clash(IPAddress)
    /// net.ipv4.ip_forward is 0 and cannot be changed.
    case forwarding(String)
    /// nft refused the rules: its own message.
    case rules(String)
    /// pasta could not connect the namespace to the network: its own message.
    case wayOut(String)
    /// pasta needs a TUN, but cannot have one.
    case noDevice(SandboxError)
    /// The host has no route to the Internet.
    case noRoute
    /// The only resolvers are unreachable.
    case resolvers
    /// There is no route to a gateway's clients.
    case noWay(IPv6Prefix)
    /// Forwarding would delete this interface's default route.
    case losesRoute(interface: String)
    /// The host already has a route that a gateway would make.
    case taken(String)
    /// An interface that cannot be a LAN, and why.
    case noLAN(interface: String, reason: String)
    /// A gateway requires the right to administer the host's network.
    case noRights
    /// Interfaces or addresses could not be read or changed.
    case network(String)
    /// The namespace could not be made.
    case sandbox(SandboxError)
}

extension UplinkError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missing(let program, let package):
            "the uplink needs the program \(program), which is not installed; fix: \(Toolbox.machine.package(package))"
        case .noWayOut:
            """
            this user may not change the host's network (CAP_NET_ADMIN), and pasta, which needs no rights, is not \
            installed; fix: \(Toolbox.machine.package("passt"))
            """
        case .busy:
            "\(UplinkInstance.limit) simulators already use this host's network (nat64sim, ipv6check); end one of them first"
        case .starting:
            """
            another nat64sim or ipv6check has been starting for half a minute (the interface \(StartLock.name)); end it first
            """
        case .clash(let address):
            """
            this host has the address \(address), which the simulated network uses for itself; choose another \
            client prefix, run this in a container, or as an ordinary user with pasta
            """
        case .forwarding(let reason):
            """
            IPv4 forwarding is off and cannot be switched on from here (\(reason)); fix: \
            \(Toolbox.machine.setting(("net.ipv4.ip_forward", 1))), or for a container: docker run --sysctl net.ipv4.ip_forward=1 …
            """
        case .rules(let words): "nft refuses the rules of the uplink: \(words)"
        case .wayOut(let words): "pasta has not connected us to the host's network: \(words)"
        case .noDevice(let error):
            """
            \(error.reason), and pasta, by which this user gets to the host's network, needs a TUN of its own\
            \(error.remedy.map { "; fix: \($0)" } ?? "")
            """
        case .noRoute:
            """
            this host has no route to the Internet (ip route show default), and nothing else is allowed; fix: connect \
            it, or allow what it does reach with --allow
            """
        case .resolvers:
            """
            the host's only resolver is [::1], which pasta does not reach; fix: name another nameserver in /etc/resolv.conf
            """
        case .noWay(let prefix):
            """
            this host has no way to the clients' \(prefix) (ip -6 route get): make their bridge and its address or route first \
            (Podman makes a network's bridge with its first container)
            """
        case .losesRoute(let interface):
            """
            IPv6 forwarding is off, and with it on this host would lose the default route that \(interface) has from a router's \
            advertisement; fix: sysctl net.ipv6.conf.\(interface).accept_ra=2, or --switch-forwarding, which does that and undoes it
            """
        case .taken(let route):
            """
            this host has a route already that the gateway is to make (\(route)); another gateway's, or a NAT64 of the host's own; \
            fix: end it, or choose another --prefix and --dns
            """
        case .noLAN(let interface, let reason): "the interface \(interface) cannot be the LAN: \(reason)"
        case .noRights:
            "a gateway changes the host's network, which takes the right CAP_NET_ADMIN; fix: sudo nat64sim gateway …"
        case .network(let reason): reason
        case .sandbox(let error): "\(error)"
        }
    }
}
