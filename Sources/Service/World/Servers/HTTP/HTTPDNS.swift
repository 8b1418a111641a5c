// SPDX-License-Identifier: Apache-2.0
import DNSWire
import HTTPTypes
import HTTPServing
import NIOCore
import Text
import Wire

/// HTTPDNS: addresses of names, over HTTP. Apps use it so that no host on the path can forge DNS answers, and so bypass the
/// DNS64.
///
/// Two forms, each a subset of what a large provider documents:
///
/// | request | answer |
/// | --- | --- |
/// | `/d?dn=NAME` (or `host=NAME`), `&type=aaaa`, `&ttl=1` | `198.51.100.10;198.51.100.11`, with the TTL as `…,300` (Tencent Cloud) |
/// | `/ACCOUNT/d?host=NAME`, `&query=4,6` | JSON: host, ips, ipsv6, ttl, origin_ttl (Alibaba Cloud) |
struct HTTPDNS: Sendable {
    let resolver: PublicResolver
    let service: ServiceEnd

    /// The answer; `nil` if the request is for something else.
    func answer(_ request: Request, on channel: any Channel) throws -> Response? {
        let path = request.path.split(separator: "/", omittingEmptySubsequences: true)
        guard path.last == "d", path.count <= 2, request.method == .get || request.method == .head else { return nil }
        let parameters = request.query
        let isText = path.count == 1
        guard let asked = parameters["host"] ?? (isText ? parameters["dn"] : nil),
            let name = try? DomainName(String(asked))
        else {
            return .badRequest("write \(isText ? "/d?dn=NAME" : "/ACCOUNT/d?host=NAME"), such as shop.test")
        }
        guard let asker = ResolverClient(channel, at: service) else { throw ChannelError.ioOnClosedChannel }
        func addresses(_ type: RecordType) -> (addresses: [IPAddress], ttl: UInt32)? {
            resolver.addresses(of: name, type, asker)
        }
        if isText {
            let type = parameters["type"]?.lowercased() == "aaaa" ? RecordType.aaaa : .a
            return .text(Self.text(addresses(type), showsTTL: parameters["ttl"] == "1"))
        }
        let families = parameters["query"]?.split(separator: ",") ?? ["4"]
        var lists: [(key: String, found: (addresses: [IPAddress], ttl: UInt32)?)] = []
        if families.contains("4") { lists.append(("ips", addresses(.a))) }
        if families.contains("6") { lists.append(("ipsv6", addresses(.aaaa))) }
        return .json(Self.json(String(asked), lists))
    }

    /// Empty if there are no addresses.
    private static func text(_ found: (addresses: [IPAddress], ttl: UInt32)?, showsTTL: Bool) -> String {
        guard let found else { return "" }
        return found.addresses.map(\.description).joined(separator: ";") + (showsTTL ? ",\(found.ttl)" : "")
    }

    /// This form has one TTL for both families: the smaller one, after which one of them must be requested again.
    private static func json(
        _ name: String, _ lists: [(key: String, found: (addresses: [IPAddress], ttl: UInt32)?)]
    ) -> String {
        var fields = ["\"host\": \(jsonString(name))"]
        for (key, found) in lists {
            let addresses = found?.addresses ?? []
            fields.append("\"\(key)\": [\(addresses.map { "\"\($0)\"" }.joined(separator: ", "))]")
        }
        let ttl = lists.compactMap(\.found?.ttl).min() ?? 0
        fields += ["\"ttl\": \(ttl)", "\"origin_ttl\": \(ttl)"]
        return "{\(fields.joined(separator: ", "))}"
    }
}
