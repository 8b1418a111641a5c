// SPDX-License-Identifier: Apache-2.0
internal import LinuxNet
internal import Wire

/// Isolates the host's own network from packets that arrive at one interface: the host neither answers nor forwards them. Packet sockets
/// still receive them, as they read them before the wall drops them.
///
/// The rules are tables of nftables that belong to a running `nft` (`flags owner`): when that ends, as it does with this process, the
/// kernel removes them. One table excludes bridged packets from connection tracking, if the host filters them (br_netfilter): it would
/// reassemble fragments, and the packet sockets would get packets larger than the link's MTU.
struct HostWall: ~Copyable, Sendable {
    enum Outcome: ~Copyable {
        case made(HostWall)
        /// The reason, as shown to the user.
        case failed(String)
    }

    private let nft: Coprocess

    private static let timeout = Duration.seconds(5)

    /// - Parameter number: the interface's number, after which the tables are named.
    static func make(at interface: String, number: Int32) -> Outcome {
        let name = "nat64simlan\(number)"
        let nft: Coprocess
        do throws(SystemError) {
            nft = try Coprocess("command -v nft >/dev/null || exit 1; exec nft -i")
        } catch {
            return .failed("\(error)")
        }
        nft.send("add table netdev \(name) { flags owner ; }")
        nft.send(
            "add chain netdev \(name) arriving { type filter hook ingress device \"\(interface)\" priority -500 ; policy drop ; }"
        )
        nft.send("add table ip6 \(name) { flags owner ; }")
        nft.send("add chain ip6 \(name) bridged { type filter hook prerouting priority -450 ; }")
        nft.send("add rule ip6 \(name) bridged iifname \"\(interface)\" notrack")
        nft.send("list tables netdev")
        var text: [UInt8] = []
        func isRefusal(_ line: String) -> Bool { line.hasPrefix("Error") }
        _ = nft.receive(&text, until: MonotonicClock.now() + timeout) { text in
            text.last == UInt8(ascii: "\n")
                && Coprocess.lines(text).contains { $0 == "table netdev \(name)" || isRefusal($0) }
        }
        let said = Coprocess.lines(text)
        if !said.isEmpty, !said.contains(where: isRefusal) { return .made(HostWall(nft: nft)) }
        return .failed(said.first.map { "nft says: \($0)" } ?? "nft is missing")
    }
}
