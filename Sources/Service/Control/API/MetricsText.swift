// SPDX-License-Identifier: Apache-2.0
/// The daemon's counters in the text format of Prometheus, version 0.0.4.
struct MetricsText {
    static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    private(set) var text = ""

    init(_ status: Status, _ counters: [Counter]) {
        var families = Families()
        families.add(
            Counter(
                "info", .gauge, help: "Always 1; the labels say what runs.",
                labels: ["version": status.version, "pref64": status.pref64, "uplink": status.uplink.kind.rawValue],
                value: 1))
        families.add(
            Counter(
                "ready", .gauge, help: "Whether a client that attaches now is served.",
                value: status.readiness.state == .ready ? 1 : 0))
        families.add(
            Counter(
                "uptime_seconds", .gauge, help: "Seconds since the start.", value: UInt64(max(0, status.uptime))))
        for network in status.networks {
            families.add(
                Counter(
                    "clients", .gauge, help: "Clients that are attached.", labels: ["network": network.name],
                    value: UInt64(max(0, network.clients))))
        }
        for counter in counters { families.add(counter) }
        for family in families.inOrder { write(family) }
    }

    private mutating func write(_ family: [Counter]) {
        guard let first = family.first else { return }
        let name = "nat64sim_\(Self.identifier(first.name))" + (first.kind == .counter ? "_total" : "")
        text += "# HELP \(name) \(Self.escaped(first.help))\n# TYPE \(name) \(first.kind.rawValue)\n"
        for counter in family {
            let labels = counter.labels.sorted { $0.key < $1.key }.map { key, value in
                "\(Self.identifier(key))=\"\(Self.escaped(value, quotes: true))\""
            }
            text += labels.isEmpty ? name : "\(name){\(labels.joined(separator: ","))}"
            text += " \(counter.value)\n"
        }
    }

    /// Counters grouped by name: all lines of a metric must be adjacent.
    private struct Families {
        private(set) var inOrder: [[Counter]] = []
        private var indices: [String: Int] = [:]

        mutating func add(_ counter: Counter) {
            if let index = indices[counter.name] {
                inOrder[index].append(counter)
            } else {
                indices[counter.name] = inOrder.count
                inOrder.append([counter])
            }
        }
    }

    /// Help ends at a newline, a label's value at a quotation mark.
    private static func escaped(_ text: String, quotes: Bool = false) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// `[a-zA-Z_][a-zA-Z0-9_]*`; any other character becomes an underscore.
    private static func identifier(_ text: String) -> String {
        var name = ""
        for octet in text.utf8 {
            switch octet {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"):
                name.unicodeScalars.append(Unicode.Scalar(octet))
            case UInt8(ascii: "0")...UInt8(ascii: "9") where !name.isEmpty:
                name.unicodeScalars.append(Unicode.Scalar(octet))
            default: name += "_"
            }
        }
        return name
    }
}
