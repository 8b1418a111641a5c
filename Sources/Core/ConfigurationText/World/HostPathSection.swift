// SPDX-License-Identifier: Apache-2.0
import Topology
import Wire

/// The path to a host of a world file:
///
///     link: { delay: 80ms, loss: 1%, rate: 5mbit }      # its own link: docs/conditions.md
///     link: lte
///     path:                                             # routers, from the client's side on
///       - 198.51.100.1
///       - silent                                        # it sends no ICMP errors
///       - [198.51.100.3, 2e00:2:0:cafe::3]              # an address of each family
///       - { router: 198.51.100.4, mtu: 1400 }
extension WorldFileReader {
    mutating func readLink(_ node: YAMLNode, into path: inout HostPath) {
        guard let texts = conditions(node) else {
            report(
                "a link is a map such as { delay: 80ms, loss: 1% }, or conditions by their names, such as lte, not "
                    + node.kindDescription, at: node.position)
            return
        }
        do throws(ConditionError) {
            path.link = try ConditionPlan.ofHost(texts)
            path.writtenLink = texts
        } catch {
            report("link: \(error)", at: node.position)
        }
    }

    /// In the form of `--conditions`; `nil` if it is not valid.
    private func conditions(_ node: YAMLNode) -> [String]? {
        switch node.content {
        case .map(let entries):
            var texts: [String] = []
            for entry in entries {
                guard case .scalar(let key) = entry.key.content, case .scalar(let value) = entry.value.content else {
                    return nil
                }
                texts.append("\(key)=\(value)")
            }
            return texts
        case .scalar(let text):
            return text.split(separator: ",", omittingEmptySubsequences: false).map {
                $0.trimmingPrefix(while: { $0 == " " }).description
            }
        default: return nil
        }
    }

    mutating func readRouters(_ node: YAMLNode) -> [HostPath.Router] {
        let written = items(node)
        guard written.count <= HostPath.routerLimit else {
            report("a path has at most \(HostPath.routerLimit) routers", at: node.position)
            return []
        }
        return written.map { item in
            guard case .map(let entries) = item.content else { return readRouter(item) }
            let fields = fields(entries, of: "a router", named: ["router", "mtu"])
            var router = HostPath.Router()
            if let node = fields["router"] {
                router = readRouter(node)
            } else {
                report("a router has its address, or silent: { router: 198.51.100.1, mtu: 1400 }", at: item.position)
            }
            router.mtu = fields["mtu"].flatMap { number($0, "mtu", in: HostPath.mtus) }
            return router
        }
    }

    private mutating func readRouter(_ node: YAMLNode) -> HostPath.Router {
        var router = HostPath.Router()
        if node.isText("silent") { return router }
        for address in items(node).compactMap({ readAddress($0) }) {
            switch address.value {
            case .ipv4(let ipv4) where router.ipv4 == nil: router.ipv4 = ipv4
            case .ipv6(let ipv6) where router.ipv6 == nil: router.ipv6 = ipv6
            default: report("a router has one address of each family", at: address.position)
            }
        }
        return router
    }
}
