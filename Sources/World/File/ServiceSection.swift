import YAMLFile

/// The services of a host, in any of these forms:
///
///     services: http
///     services: [http, https]
///     services: { http: 8080, https: [443, 8443] }
///     services: [https, http: 8080]
extension WorldFileReader {
    mutating func readServices(_ node: YAMLNode) -> [Located<ServiceDeclaration>] {
        var services: [Located<ServiceDeclaration>] = []
        for item in items(node) {
            switch item.content {
            case .scalar:
                guard let kind = readKind(item) else { continue }
                add(ServiceDeclaration(kind: kind, port: kind.defaultPort), at: item.position, to: &services)
            case .map(let entries):
                for entry in entries {
                    guard let kind = readKind(entry.key) else { continue }
                    if entry.value.isText("") {
                        report(
                            "the port of \(kind.rawValue) is missing: write \(kind.rawValue): \(kind.defaultPort)",
                            at: entry.key.position)
                    }
                    for port in items(entry.value) {
                        guard let number = readPort(port, of: kind) else { continue }
                        add(ServiceDeclaration(kind: kind, port: number), at: port.position, to: &services)
                    }
                }
            case .list:
                report("services are one list: write services: [http, https]", at: item.position)
            }
        }
        return services
    }

    private mutating func add(
        _ service: ServiceDeclaration, at position: SourcePosition, to services: inout [Located<ServiceDeclaration>]
    ) {
        if services.contains(where: { $0.value == service }) {
            report("\(service.kind.rawValue) at port \(service.port) stands here already: keep one", at: position)
        } else if services.count < WorldFileLimits.services {
            services.append(Located(value: service, position: position))
        } else {
            report("a host has at most \(WorldFileLimits.services) services", at: position)
        }
    }

    private mutating func readKind(_ node: YAMLNode) -> ServiceKind? {
        let words = ServiceKind.allCases.map(\.rawValue)
        guard case .scalar(let text) = node.content else {
            report("a service is one of \(enumerated(words)), not \(node.kindDescription)", at: node.position)
            return nil
        }
        if let kind = ServiceKind(rawValue: text) { return kind }
        let parts = text.split(separator: ":")
        if parts.count == 2, words.contains(String(parts[0])), decimalNumber(parts[1]) != nil {
            report("a port is written \(parts[0]): \(parts[1]), with a blank behind the colon", at: node.position)
        } else if let nearest = nearestWord(to: text, among: words) {
            report("\(node.kindDescription) is no service: did you mean \(nearest)?", at: node.position)
        } else {
            report("\(node.kindDescription) is no service: there are \(enumerated(words))", at: node.position)
        }
        return nil
    }

    private mutating func readPort(_ node: YAMLNode, of kind: ServiceKind) -> UInt16? {
        if case .scalar(let text) = node.content, let number = decimalNumber(text), let port = UInt16(exactly: number),
            port > 0
        {
            return port
        }
        report(
            "the port of \(kind.rawValue) is a number from 1 to 65535, not \(node.kindDescription)", at: node.position)
        return nil
    }
}
