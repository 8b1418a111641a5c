// SPDX-License-Identifier: Apache-2.0
extension SourceScan {
    /// The functions for IPv4 only that a binary may import, with the rule and the replacement for both families.
    private static let oldImports: [(names: [String], rule: SourceRule, instead: String)] = [
        (
            ["gethostbyname", "gethostbyname_r", "gethostbyname2", "gethostbyname2_r"], .asksForIPv4Only, "getaddrinfo"
        ),
        (["inet_addr", "inet_aton"], .literalAddress, "getaddrinfo"),
        (["inet_ntoa"], .knowsIPv4SocketsOnly, "getnameinfo"),
    ]

    private static let newImports: Set<String> = [
        "getaddrinfo", "inet_pton", "inet_ntop", "getnameinfo", "getaddrinfo_a",
    ]

    /// The findings from the imports of a binary. If it also imports a function for both families, it has the old one as a fallback, for a
    /// library that it contains, or for an IPv4 feature: mostly not a mistake.
    package static func findings(inImports imports: Set<String>) -> [SourceFinding] {
        let connects = !imports.isDisjoint(with: ["connect", "sendto", "sendmsg"])
        let isOld = imports.isDisjoint(with: newImports)
        return oldImports.flatMap { entry in
            entry.names.filter(imports.contains).map { name in
                let isLikely = isOld && connects && entry.rule != .knowsIPv4SocketsOnly
                return SourceFinding(
                    rule: entry.rule, certainty: isLikely ? .sure : .possible, line: 0, column: 0,
                    text: "it imports \(name), which knows IPv4 only; use \(entry.instead)")
            }
        }
    }
}
