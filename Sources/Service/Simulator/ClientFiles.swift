// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import LinuxNet
package import Sandbox
package import Wire

/// The system files that have other contents for the client.
package enum ClientFiles {
    /// Where distributions keep their certificates in one file.
    private static let bundlePaths = [
        "/etc/ssl/certs/ca-certificates.crt",  // Debian, Ubuntu, Arch, Alpine
        "/etc/pki/tls/certs/ca-bundle.crt",  // Fedora, RHEL
        "/etc/ssl/ca-bundle.pem",  // SUSE
        "/etc/ssl/cert.pem",  // Alpine, and LibreSSL everywhere
    ]
    private static let bundleWhereThereIsNone = "/etc/ipv6check-certificates.pem"

    /// Resolver, name service switch and hosts.
    /// - Parameters:
    ///   - resolvers: the addresses of the DNS servers, in their order.
    ///   - hasIPv4Loopback: whether localhost has an IPv4 address.
    ///   - hostName: the machine's own name, which resolves without asking the DNS.
    ///   - prefixes: the Pref64s for the library of literal synthesis, in presentation format; `nil` if it knows them already.
    package static func nameService(
        resolvers: [IPAddress], hasIPv4Loopback: Bool = true, hostName: String, prefixes: [String]? = nil
    ) -> [ShownFile] {
        var resolution = "# made by ipv6check\n"
        for resolver in resolvers { resolution += "nameserver \(resolver)\n" }
        for prefix in told(prefixes) { resolution += "# pref64 \(prefix)\n" }
        return [
            ShownFile(paths: ["/etc/resolv.conf"], contents: Array(resolution.utf8)),
            ShownFile(
                paths: ["/etc/nsswitch.conf"],
                contents: Array(nameServiceSwitch(contents(of: "/etc/nsswitch.conf")).utf8)),
            ShownFile(paths: ["/etc/hosts"], contents: Array(hosts(hostName, hasIPv4Loopback: hasIPv4Loopback).utf8)),
        ]
    }

    /// Read by the library of literal synthesis; comments to all other readers.
    private static func told(_ prefixes: [String]?) -> [String] {
        guard let prefixes else { return [] }
        return prefixes.isEmpty ? ["none"] : prefixes
    }

    /// The system's certificates with the test CA added, at every path where the system has them.
    /// - Returns: the files, and the path of the first.
    package static func certificates(authority: String) -> (files: [ShownFile], bundlePath: String) {
        let existing = bundlePaths.filter { FileManager.default.fileExists(atPath: $0) }
        let paths = existing.isEmpty ? [bundleWhereThereIsNone] : existing
        let files = paths.map { path in
            ShownFile(paths: [path], beginning: .init(path: path), contents: Array(authority.utf8))
        }
        return (files, paths[0])
    }

    private static func contents(of path: String) -> String? {
        (try? Descriptor.contents(of: path)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The system's file with only the line changed that configures lookups of host names: users, groups and the rest are still
    /// looked up as before.
    static func nameServiceSwitch(_ system: String?) -> String {
        var text = "hosts: files dns"
        for line in (system ?? "").split(separator: "\n", omittingEmptySubsequences: false)
        where line.split(separator: ":").first?.filter({ !$0.isWhitespace }) != "hosts" {
            text += "\n" + String(line)
        }
        return text
    }

    private static func hosts(_ hostName: String, hasIPv4Loopback: Bool) -> String {
        let own = hostName.isEmpty ? "" : " \(hostName)"
        return """
            # made by ipv6check
            ::1 localhost ip6-localhost ip6-loopback\(own)

            """ + (hasIPv4Loopback ? "127.0.0.1 localhost\n" : "")
    }
}
