// SPDX-License-Identifier: Apache-2.0
import DNSWire

/// A zone file, a record or a name that can be parsed survives being written and parsed again.
func fuzzZone(_ input: [UInt8]) throws(BrokenInvariant) {
    let text = String(decoding: input, as: UTF8.self)
    do {
        for record in try ZoneFile(text).records { try checkPresentation(record) }
    } catch let broken as BrokenInvariant {
        throw broken
    } catch let failure as ZoneFile.Failure {
        try require(failure.line >= 1 && !failure.description.isEmpty, "a failure nowhere")
    } catch {
        throw BrokenInvariant("\(error)")
    }
    if let name = try? DomainName(text) {
        try require(name.wire.count <= DomainName.maximumNameLength, "a name of \(name.wire.count) octets")
        let again = try? DomainName(name.description)
        try require(again?.wire == name.wire, "\(name) is read as \(String(describing: again))")
    }
}
