// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire

/// Whether answers are validated, and with which trust anchors: DS and DNSKEY records, or files with such, relative to the folder of the
/// world file:
///
///     dnssec:
///       validate: true
///       trust-anchors:
///         - zones/signed.test.ds
///         - shop.test. DS 26281 13 2 1298E507BF98A73FAD7B094AB2C6240F3D0C865A6AEE9A0064726E29A9D5B3B2
extension YAMLReader {
    /// `nil` if nothing is validated.
    mutating func readDNSSEC(_ section: YAMLNode, _ files: NamedFiles) -> Validation? {
        let example = "{ validate: true, trust-anchors: [zones/signed.test.ds] }"
        guard let entries = map(section, whatItIs: "dnssec", example: example) else { return nil }
        let fields = fields(entries, of: "dnssec", named: ["validate", "trust-anchors"])
        var anchors: [ResourceRecord] = []
        for item in fields["trust-anchors"].map(items) ?? [] { anchors += readAnchors(item, files) }
        guard let validate = fields["validate"], flag(validate, "validate") == true else { return nil }
        if anchors.isEmpty {
            report("to validate takes trust anchors: write \(example)", at: section.position)
        }
        return Validation(trustAnchors: anchors)
    }

    private mutating func readAnchors(_ node: YAMLNode, _ files: NamedFiles) -> [ResourceRecord] {
        guard case .scalar(let text) = node.content, !text.isEmpty else {
            report(
                "a trust anchor is a DS or DNSKEY record or a file of them, not \(node.kindDescription)",
                at: node.position)
            return []
        }
        // A record has at least three blanks.
        guard text.split(separator: " ").count < 4 else { return readAnchors(text, place: "", at: node) }
        do throws(YAMLFileError) {
            let octets = try files.contents(of: text, maximum: YAMLText.maximumOctets)
            return readAnchors(String(decoding: octets, as: UTF8.self), place: text, at: node)
        } catch {
            for problem in error.problems { report("\(text): \(problem.message)", at: node.position) }
            return []
        }
    }

    private mutating func readAnchors(_ text: String, place: String, at node: YAMLNode) -> [ResourceRecord] {
        let file = ZoneFile(reading: text, maximumFailures: maximumProblems)
        for failure in file.failures {
            report(
                place.isEmpty ? "\(failure.reason)" : "\(place):\(failure.line): \(failure.reason)", at: node.position)
        }
        for (record, line) in zip(file.records, file.lines) where ![.ds, .dnskey].contains(record.type) {
            let location = place.isEmpty ? "" : "\(place):\(line): "
            report("\(location)a trust anchor is a DS or DNSKEY record, not \(record.type)", at: node.position)
        }
        return file.records.filter { [.ds, .dnskey].contains($0.type) }
    }
}
