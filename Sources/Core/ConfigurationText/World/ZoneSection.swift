// SPDX-License-Identifier: Apache-2.0
import DNSWire

/// The zone files of a world file. Paths are relative to the folder of the world file:
///
///     zones:
///       - zones/signed.test.zone                          # its names are absolute, or continue with its $ORIGIN
///       - { file: zones/db.shop.test, origin: shop.test } # its names continue with this one
extension WorldFileReader {
    mutating func readZones(_ section: YAMLNode, defaultTTL: UInt32) -> [Located<World.Zone>] {
        var zones: [Located<World.Zone>] = []
        for item in items(section) {
            guard let zone = readZone(item, defaultTTL: defaultTTL) else { continue }
            if let first = zones.first(where: { $0.value.apex == zone.apex }) {
                report(
                    "the zone \(zone.apex) stands in line \(first.position.line) already: keep one", at: item.position)
            } else {
                zones.append(Located(value: zone, position: item.position))
            }
        }
        return zones
    }

    private mutating func readZone(_ node: YAMLNode, defaultTTL: UInt32) -> World.Zone? {
        let example = "{ file: zones/db.shop.test, origin: shop.test }"
        var (file, origin) = (node, DomainName.root)
        if case .map(let entries) = node.content {
            let fields = fields(entries, of: "a zone", named: ["file", "origin"])
            guard let named = fields["file"] else {
                report("a zone has a file, such as \(example)", at: node.position)
                return nil
            }
            file = named
            if let written = fields["origin"] {
                guard let name = readOrigin(written) else { return nil }
                origin = name
            }
        }
        guard case .scalar(let path) = file.content, !path.isEmpty else {
            report("a zone is the path of its file, or \(example), not \(file.kindDescription)", at: file.position)
            return nil
        }
        do throws(ZoneContents.Failure) {
            let contents = try ZoneContents(
                path, of: files, origin: origin, defaultTTL: defaultTTL)
            return World.Zone(apex: contents.apex, records: contents.records)
        } catch {
            // The position in the zone file is more useful.
            for problem in error.problems { report("\(path)\(problem)", at: file.position) }
            return nil
        }
    }

    private mutating func readOrigin(_ node: YAMLNode) -> DomainName? {
        if case .scalar(let text) = node.content, let name = try? DomainName(text) { return name }
        report("an origin is a name such as shop.test, not \(node.kindDescription)", at: node.position)
        return nil
    }
}
