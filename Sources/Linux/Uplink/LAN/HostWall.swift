// SPDX-License-Identifier: Apache-2.0
internal import LinuxNet
internal import Wire

/// Keeps the host's own network from what comes by one interface: it answers nobody there, and forwards nothing. Packet sockets get it
/// all the same, as they stand before it.
///
/// Tables of nftables that belong to a running `nft` (`flags owner`): where that ends, as it does with this process, the kernel takes them
/// away. One is of what the bridge passes, where the host filters that (br_netfilter): to follow connections, it puts fragments together, and
/// the packet sockets would get packets that are larger than the link's.
struct HostWall: ~Copyable, Sendable {
    enum Outcome: ~Copyable {
        case made(HostWall)
        /// In words for a user.
        case failed(String)
    }

    private let nft: Coprocess

    private static let timeout = Duration.seconds(5)

    /// - Parameter number: the interface's, of which the table has its name.
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
