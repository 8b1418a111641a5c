// SPDX-License-Identifier: Apache-2.0
import Evidence
import Executables
import Origins
import Wire

/// Any octets are an executable: the parsers read no more than their limit, all their results lie inside, and an address in the octets is
/// found.
func fuzzExecutable(_ input: [UInt8]) throws(BrokenInvariant) {
    var wrong: String?
    func read(_ count: Int, _ offset: Int) -> [UInt8] {
        if count < 0 || offset < 0 || count > 16 << 20 { wrong = "\(count) octets are read at \(offset)" }
        return Array(input.dropFirst(max(0, offset)).prefix(max(0, count)))
    }
    for name in DynamicImports(read)?.names ?? [] {
        // Each octet that is not UTF-8 becomes three.
        try require(name.utf8.count < 3 * 256, "a name of \(name.utf8.count) octets")
    }
    try require(DynamicImports(read) == DynamicImports(read), "other imports the second time")
    try require(ELFProgram(read) == ELFProgram(read), "another program the second time")
    if let wrong { throw BrokenInvariant(wrong) }
    let ranges = LoadedSegments(input)?.ranges ?? []
    for range in ranges {
        try require(range.lowerBound >= 0 && range.upperBound <= input.count, "\(range) of \(input.count)")
    }
    try search(input)
    try searchModule(input, ranges)
}

private func search(_ input: [UInt8]) throws(BrokenInvariant) {
    let search = AddressSearch(SoughtAddresses([sought, six]))
    let lines = input.count { $0 == UInt8(ascii: "\n") } + 1
    for contents in [AddressSearch.Contents.text, .data] {
        for (address, hit) in search.hits(in: input.span, as: contents) {
            try require(input.indices.contains(hit.offset), "\(address) at \(hit.offset) of \(input.count)")
            if let line = hit.line { try require((1...lines).contains(line), "\(address) in line \(line) of \(lines)") }
        }
    }
    // The slow reference of the search for binary addresses.
    let found = search.hits(in: input.span, as: .data)
    for address in [sought, six] where found[address] == nil {
        try require(!input.contains(address.octets), "\(address) is there, and is not found")
    }
}

/// Searches this file as one that a run's client has mapped.
private func searchModule(_ input: [UInt8], _ ranges: [Range<Int>]) throws(BrokenInvariant) {
    var run = RunEvidence(network: .nat64, end: .exited(status: 1), duration: .seconds(3))
    var calls = CallEvidence()
    calls.calls = [
        TracedCall(.connect, .address(.ip(sought, port: 80), length: 16, on: nil), .unknown, time: .seconds(2))
    ]
    run.calls = calls
    guard var finder = OriginFinder(run, prefixes: []) else { throw BrokenInvariant("nothing is looked for") }
    finder.search(module: input, path: "/program")
    finder.complete(&run)
    guard ranges.contains(where: { input[$0].contains(sought.octets) }) else { return }
    try require(run.calls?.calls[0].origin != nil, "the address is in what is loaded, and is not from there")
}

private let sought = IPAddress.ipv4(IPv4Address(bits: 0xc633_641f))
private let six = IPAddress.ipv6(IPv6Address(bits: 0x2001_0db8 << 96 | 0x1f))
