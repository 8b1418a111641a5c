import ConfigurationText
import DNSWire
import HTTPTypes
import Hummingbird
import Text
import Wire

/// HTTPDNS: addresses of names, told by HTTP. Apps ask it so that nobody between them and it can answer in the DNS's place; and they pass the
/// DNS64 by.
///
/// Two forms, of which each is a subset of what a large provider documents:
///
/// | request | answer |
/// | --- | --- |
/// | `/d?dn=NAME` (or `host=NAME`), `&type=aaaa`, `&ttl=1` | `198.51.100.10;198.51.100.11`, with the TTL as `…,300` (Tencent Cloud) |
/// | `/ACCOUNT/d?host=NAME`, `&query=4,6` | JSON: host, ips, ipsv6, ttl, origin_ttl (Alibaba Cloud) |
struct HTTPDNS: Sendable {
    private let records: [DomainName: [ResourceRecord]]

    /// RFC 1034 §5.2.2: aliases may form a loop.
    private static let aliasLimit = 8

    /// It knows the world's own records, as they are.
    init(_ world: World) {
        let all = world.records + world.zones.flatMap(\.records)
        records = Dictionary(grouping: all, by: \.name)
    }

    private struct Addresses {
        var ipv4: [IPv4Address] = []
        var ipv6: [IPv6Address] = []
        /// The least, in seconds; `nil` without an address.
        var ttl: UInt32?
    }

    private func addresses(of name: DomainName) -> Addresses {
        var found = Addresses()
        var name = name
        for _ in 0...Self.aliasLimit {
            var alias: DomainName?
            for record in records[name] ?? [] {
                switch record.data {
                case .a(let address): found.ipv4.append(address)
                case .aaaa(let address): found.ipv6.append(address)
                case .cname(let target): alias = target
                default: continue
                }
                found.ttl = min(found.ttl ?? .max, record.ttl)
            }
            guard let alias else { break }
            name = alias
        }
        if found.ipv4.isEmpty && found.ipv6.isEmpty { found.ttl = nil }
        return found
    }

    /// `nil` if the request asks for something else.
    func answer(_ request: Request) -> Response? {
        let path = request.uri.path.split(separator: "/", omittingEmptySubsequences: true)
        guard path.last == "d", path.count <= 2, request.method == .get || request.method == .head else { return nil }
        let parameters = request.uri.queryParameters
        let isText = path.count == 1
        guard let asked = parameters["host"] ?? (isText ? parameters["dn"] : nil),
            let name = try? DomainName(String(asked))
        else {
            return .badRequest("write \(isText ? "/d?dn=NAME" : "/ACCOUNT/d?host=NAME"), such as shop.test")
        }
        let addresses = addresses(of: name)
        if isText {
            return .text(
                Self.text(
                    addresses, isIPv6: parameters["type"]?.lowercased() == "aaaa", showsTTL: parameters["ttl"] == "1"))
        }
        return .json(Self.json(addresses, of: String(asked), query: parameters["query"].map(String.init) ?? "4"))
    }

    /// Empty where there is none.
    private static func text(_ addresses: Addresses, isIPv6: Bool, showsTTL: Bool) -> String {
        let list = isIPv6 ? addresses.ipv6.map { "\($0)" } : addresses.ipv4.map { "\($0)" }
        if list.isEmpty { return "" }
        return list.joined(separator: ";") + (showsTTL ? ",\(addresses.ttl ?? 0)" : "")
    }

    private static func json(_ addresses: Addresses, of name: String, query: String) -> String {
        let families = query.split(separator: ",")
        var fields = ["\"host\": \(jsonString(name))"]
        func add(_ key: String, _ list: [String]) {
            fields.append("\"\(key)\": [\(list.map { "\"\($0)\"" }.joined(separator: ", "))]")
        }
        if families.contains("4") { add("ips", addresses.ipv4.map { "\($0)" }) }
        if families.contains("6") { add("ipsv6", addresses.ipv6.map { "\($0)" }) }
        let ttl = addresses.ttl ?? 0
        fields += ["\"ttl\": \(ttl)", "\"origin_ttl\": \(ttl)"]
        return "{\(fields.joined(separator: ", "))}"
    }
}
