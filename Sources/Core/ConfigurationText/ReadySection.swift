// SPDX-License-Identifier: Apache-2.0
import Suites

/// The keys of `ready`.
let readyKeys = ["tcp", "http", "https", "log", "file", "within"]

/// The readiness checks of a server, in a suite or a world:
///
///     ready: { tcp: 8443, within: 10s }       # http: 8443/healthz, log: "listening on", file: run/api.pid
extension YAMLReader {
    /// - Returns: the conditions, and the time in which they must hold, if the file has one.
    mutating func readReady(_ node: YAMLNode) -> (conditions: [Readiness], within: Duration?) {
        let example = "{ tcp: 8080 }"
        var conditions: [Readiness] = []
        guard let entries = map(node, whatItIs: "ready", example: example) else { return ([], nil) }
        let fields = fields(entries, of: "ready", named: readyKeys)
        if let node = fields["tcp"], let port = port(node, "tcp") { conditions.append(.tcp(port)) }
        for scheme in PageRequest.Scheme.allCases {
            guard let node = fields[scheme.rawValue] else { continue }
            if let request = pageRequest(node, scheme, default: nil) { conditions.append(.page(request)) }
        }
        if let node = fields["log"], let text = text(node, "log", example: "listening on") {
            conditions.append(.log(text))
        }
        if let node = fields["file"], let path = text(node, "file", example: "run/api.pid") {
            conditions.append(.file(path))
        }
        if readyKeys.dropLast().allSatisfy({ fields[$0] == nil }) {
            report("ready must say by what it is seen, such as \(example)", at: node.position)
        }
        return (conditions, fields["within"].flatMap { time($0, "within") })
    }

    mutating func port(_ node: YAMLNode, _ name: String) -> UInt16? {
        number(node, name, in: 1...65535).map { UInt16($0) }
    }

    /// `8080/healthz`, or `/healthz` if there is a port already.
    mutating func pageRequest(
        _ node: YAMLNode, _ scheme: PageRequest.Scheme, default port: UInt16?
    ) -> PageRequest? {
        if case .scalar(let text) = node.content, let request = PageRequest(text, scheme, default: port) {
            return request
        }
        report(
            "\(scheme.rawValue) must be \(port == nil ? "a port and a path such as 8080/healthz" : "a path such as /healthz, with a port before it or without"), not \(node.kindDescription)",
            at: node.position)
        return nil
    }
}
