// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Wire
import TestSupport

/// A line of fixtures/nat64/special-purpose.txt.
struct Expectation: CustomTestStringConvertible {
    enum Direction: String {
        case fromIPv4 = "4to6"
        case fromIPv6 = "6to4"
    }

    enum Place: String {
        case source, destination
        case errorSource = "error-source"
        case quotedSource = "quoted-source"
        case quotedDestination = "quoted-destination"
    }

    enum Verdict: String {
        case pass, drop, refuse, own
    }

    var prefix: String
    var direction: Direction
    var place: Place
    /// Under a network's own prefix.
    var elsewhere: Verdict
    /// Under the well-known prefix.
    var wellKnown: Verdict
    var section: String
    /// The first and the last address of the prefix, as far as no longer prefix of the file has them.
    var addresses: [IPv4Address] = []

    var testDescription: String { "\(direction.rawValue) \(place.rawValue) \(prefix) (\(section))" }

    /// The whole file.
    static let all: [Expectation] = {
        let text =
            (try? String(contentsOfFile: projectRoot + "fixtures/nat64/special-purpose.txt", encoding: .utf8)) ?? ""
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        let read = lines.compactMap(Expectation.init)
        precondition(read.count == lines.count && read.count > 200, "special-purpose.txt has a line that says nothing")
        let prefixes = read.compactMap { IPv4Prefix($0.prefix) }
        return read.map { line in
            var line = line
            guard let prefix = IPv4Prefix(line.prefix) else { return line }
            let last = IPv4Address(bits: prefix.address.bits | (prefix.length == 32 ? 0 : ~0 >> UInt32(prefix.length)))
            line.addresses = [prefix.address, last].filter { address in
                prefixes.filter { $0.contains(address) }.allSatisfy { $0.length <= prefix.length }
            }
            return line
        }
    }()

    private init?(_ line: Substring) {
        let fields = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        guard fields.count == 7, let direction = Direction(rawValue: fields[1]), let place = Place(rawValue: fields[2]),
            let elsewhere = Verdict(rawValue: fields[3]), let wellKnown = Verdict(rawValue: fields[4])
        else { return nil }
        prefix = fields[0]
        self.direction = direction
        self.place = place
        self.elsewhere = elsewhere
        self.wellKnown = wellKnown
        section = fields[5]
    }
}
