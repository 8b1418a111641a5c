// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Text

/// The services of a host, in any of these forms:
///
///     services: http
///     services: [http, https]
///     services: { http: 8080, https: [443, 8443] }
///     services: [https, http: 8080]
///     services: [https: { without-sni: close }]                                # `WebSection.swift`
///     services: [https, run: { port: 22, command: [/usr/sbin/sshd, -i] }]      # `ProgramSection.swift`
extension WorldFileReader {
    mutating func readServices(_ node: YAMLNode, of host: DomainName) -> [Located<ServiceDeclaration>] {
        var services: [Located<ServiceDeclaration>] = []
        for item in items(node) {
            switch item.content {
            case .scalar:
                guard let kind = readKind(item), let port = kind.defaultPort else { continue }
                add(ServiceDeclaration(kind: kind, port: port), at: item.position, to: &services)
            case .map(let entries):
                for entry in entries {
                    if entry.key.isText(ServiceKind.programWord) {
                        guard let program = readProgram(entry.value) else { continue }
                        add(program, at: entry.key.position, to: &services)
                        continue
                    }
                    guard let kind = readKind(entry.key), let usual = kind.defaultPort else { continue }
                    if entry.value.isText("") {
                        report(
                            "the port of \(kind.word) is missing: write \(kind.word): \(usual)",
                            at: entry.key.position)
                    }
                    for port in items(entry.value) {
                        if [.http, .https, .dot].contains(kind), case .map = port.content {
                            guard let service = readWeb(port, kind, of: host) else { continue }
                            add(service, at: port.position, to: &services)
                            continue
                        }
                        guard let number = readPort(port, of: kind.word) else { continue }
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
        if services.contains(where: { $0.value.kind == service.kind && $0.value.port == service.port }) {
            report("\(service.kind.word) at port \(service.port) stands here already: keep one", at: position)
        } else if services.count < WorldFileLimits.services {
            services.append(Located(value: service, position: position))
        } else {
            report("a host has at most \(WorldFileLimits.services) services", at: position)
        }
    }

    private mutating func readKind(_ node: YAMLNode) -> ServiceKind? {
        let words = ServiceKind.builtIn.map(\.word) + [ServiceKind.programWord]
        guard case .scalar(let text) = node.content else {
            report("a service must be one of \(enumerated(words)), not \(node.kindDescription)", at: node.position)
            return nil
        }
        if let kind = ServiceKind.builtIn.first(where: { $0.word == text }) { return kind }
        if text == ServiceKind.programWord {
            report("a program needs a port and a command: write \(Self.programExample)", at: node.position)
            return nil
        }
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

    mutating func readPort(_ node: YAMLNode, of word: String) -> UInt16? {
        if case .scalar(let text) = node.content, let port = portNumber(text) { return port }
        report(
            "the port of \(word) must be a number from 1 to 65535, not \(node.kindDescription)", at: node.position)
        return nil
    }
}
