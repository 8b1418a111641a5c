// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import LinuxNet
import Sandbox
import Text
import Wire

/// A network of Docker's or Podman's, from what `docker network inspect` prints.
struct EngineNetwork {
    /// `docker` or `podman`
    let engine: String
    let name: String
    let prefixes: [IPv6Prefix]
    /// Whether its containers have IPv4 as well.
    let hasIPv4: Bool
    /// Whether its containers have no default route.
    let isInternal: Bool

    /// Maximum time that an engine may take to answer.
    private static let timeout = Duration.seconds(20)
    private static let maximumSize = 4 << 20

    /// - Parameter text: `docker:shop_default`
    init(of text: String) throws(CommandFailure) {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, ["docker", "podman"].contains(parts[0]) else {
            throw CommandFailure(
                description: "--of \(excerpt(text)): give docker:NETWORK or podman:NETWORK", status: .usage)
        }
        (engine, name) = (parts[0], parts[1])
        let printed = try Self.print([engine, "network", "inspect", "--", name])
        guard let network = (try? JSONDecoder().decode([Inspected].self, from: Data(printed)))?.first else {
            throw CommandFailure(
                description:
                    "\(engine) network inspect \(name) prints no network: \(excerpt(String(decoding: printed, as: UTF8.self)))",
                status: .machineCannot)
        }
        let subnets = network.all
        prefixes = subnets.compactMap { IPv6Prefix($0) }
        hasIPv4 = subnets.contains { IPv4Prefix($0) != nil }
        isInternal = network.internal ?? network.Internal ?? false
        if prefixes.isEmpty {
            throw CommandFailure(
                description: "\(engine)'s network \(name) has no IPv6 prefix; make it with --ipv6", status: .usage)
        }
    }

    /// The settings that the network's containers need, a line each.
    func needs(of resolver: IPv6Address) -> [String] {
        var lines = ["--dns \(resolver) for each container (in a compose file: dns: [\"\(resolver)\"])"]
        if isInternal {
            lines.append("a network that is not internal: the containers of \(name) have no default route")
        }
        if hasIPv4 {
            lines.append(
                "a network without IPv4: the containers of \(name) have it too, and use it"
                    + (engine == "docker" ? " (--ipv4=false, or enable_ipv4: false; Engine 28)" : ""))
        }
        return lines
    }

    /// The output of the two engines, in their own keys.
    private struct Inspected: Decodable {
        struct Subnet: Decodable {
            /// The key of Podman, and the key of Docker.
            let subnet, Subnet: String?
        }

        struct Management: Decodable { let Config: [Subnet]? }

        let subnets: [Subnet]?
        let IPAM: Management?
        let `internal`, Internal: Bool?

        var all: [String] { ((subnets ?? []) + (IPAM?.Config ?? [])).compactMap { $0.subnet ?? $0.Subnet } }
    }

    /// The output of a program.
    private static func print(_ words: [String]) throws(CommandFailure) -> [UInt8] {
        do throws(SystemError) {
            let output = try MemoryFile.makeLog()
            var program = Spawning(words[0], arguments: words.map { OSString($0) })
            program.descriptors = [(number: 1, descriptor: output.number)]
            program.heeded = .brokenPipe
            let process = try program.start()
            guard wait(for: process) else {
                throw SystemError("run", Errno(ETIMEDOUT), what: words.joined(separator: " "))
            }
            return try MemoryFile.contents(of: output, maximum: maximumSize)
        } catch {
            throw CommandFailure(description: "--of: \(error)", status: .machineCannot)
        }
    }

    /// - Returns: false if the process did not end in time, and was killed.
    private static func wait(for process: Int32) -> Bool {
        let deadline = MonotonicClock.now() + timeout
        while waitpid(process, nil, WNOHANG) == 0 {
            if MonotonicClock.now() > deadline {
                kill(process, SIGKILL)
                _ = waitpid(process, nil, 0)
                return false
            }
            usleep(10_000)
        }
        return true
    }
}
