// SPDX-License-Identifier: Apache-2.0
import DNSWire

/// The records of a world file, in addition to those for the addresses of its hosts. Each is one line of a zone file, whose names are all
/// absolute:
///
///     - www.shop.test. CNAME shop.test.
///     - mail.test 60 IN MX 10 shop.test
extension WorldFileReader {
    mutating func readRecords(_ section: YAMLNode, defaultTTL: UInt32) -> [Located<ResourceRecord>] {
        items(section).compactMap { readRecord($0, defaultTTL: defaultTTL) }
    }

    private mutating func readRecord(_ node: YAMLNode, defaultTTL: UInt32) -> Located<ResourceRecord>? {
        guard case .scalar(let text) = node.content else {
            report(
                "a record is one line, such as - www.shop.test CNAME shop.test, not \(node.kindDescription);"
                    + " quote it where it holds a colon and a blank",
                at: node.position)
            return nil
        }
        do throws(PresentationError) {
            let record = try ResourceRecord(presentation: text, defaultTTL: defaultTTL)
            if record.recordClass == .internet { return Located(value: record, position: node.position) }
            report("a record of class \(record.recordClass) is never asked for here: write IN", at: node.position)
        } catch {
            report("\(error)", at: node.position)
        }
        return nil
    }
}
