// SPDX-License-Identifier: Apache-2.0
import CSynthesis
import Evidence
import Glibc
import Translation
import Wire

/// The pure core of literal synthesis, in C: text and messages in, addresses and records out. The sanitizer checks its memory accesses, and
/// if there is a Swift implementation too, both must agree.
func fuzzSynthesis(_ input: [UInt8]) throws(BrokenInvariant) {
    var choices = Choices(input)
    switch choices.below(4) {
    case 0: try checkPrefixes(choices.rest())
    case 1: try checkReply(&choices)
    case 2: try checkQuestion(&choices)
    default: try checkRecord(&choices)
    }
}

// MARK: - Prefixes

private func checkPrefixes(_ text: [UInt8]) throws(BrokenInvariant) {
    var list = pref64_list()
    _ = unsafe withCString(text) { text in unsafe pref64_list_parse(text, &list) }
    try check(list)
}

/// A Pref64 of the C code is valid, and maps addresses like Swift's.
private func check(_ list: pref64_list) throws(BrokenInvariant) {
    let literal = IPv4Address(192, 0, 2, 33)
    try require(list.count <= PREF64_MAX, "\(list.count) prefixes")
    for item in list.prefixes {
        let prefix = IPv6Prefix(item.address.address, length: Int(item.length))
        guard let prefix, let pref64 = try? Pref64(prefix) else { throw BrokenInvariant("no Pref64: \(item)") }
        var copy = item
        let embedded = unsafe pref64_embed(&copy, in_addr(s_addr: literal.bits.bigEndian)).address
        try require(embedded == pref64.embed(literal), "\(literal) under \(pref64) is \(embedded)")
    }
}

// MARK: - Replies

/// A reply is read to its end and no further, whether it is the expected one or not.
private func checkReply(_ choices: inout Choices) throws(BrokenInvariant) {
    var query = [UInt8](repeating: 0, count: Int(IPV4ONLY_QUERY_SIZE))
    unsafe ipv4only_query(&query, choices.number16(), choices.number16())
    let isExact = choices.oneIn(2)
    var message = choices.oneIn(4) ? [] : query
    if !message.isEmpty {
        message[2] = choices.octet() | 0x80
        for index in 3..<12 where index != 4 && index != 5 {
            message[index] = choices.octet() & (index % 2 == 0 ? 1 : 0xff)
        }
    }
    message += choices.rest()

    var answer = ipv4only_answer()
    let reply = unsafe withExactCopy(message) { copy in
        unsafe ipv4only_read(copy, message.count, query, isExact, &answer)
    }
    try require((reply == IPV4ONLY_ADDRESSES) == (answer.count > 0), "\(answer.count) addresses of \(reply)")
    try require(answer.count <= IPV4ONLY_ADDRESSES_MAX, "\(answer.count) addresses")
    guard reply == IPV4ONLY_ADDRESSES else { return }
    var list = pref64_list()
    unsafe ipv4only_prefixes(&answer, &list)
    try check(list)
}

// MARK: - Questions

/// For any arguments of getaddrinfo, the entries fit into their array and have a valid family.
private func checkQuestion(_ choices: inout Choices) throws(BrokenInvariant) {
    var hints = unsafe addrinfo()
    unsafe hints.ai_family = choices.pick([AF_UNSPEC, AF_INET, AF_INET6, Int32(choices.octet())])
    unsafe hints.ai_socktype = Int32(choices.below(8))
    unsafe hints.ai_protocol = choices.pick([0, 6, 17, 1, 58, Int32(choices.octet())])
    unsafe hints.ai_flags = Int32(choices.number16())
    let hasHints = choices.oneIn(2)
    let service = choices.octets(choices.below(8))
    let hasService = choices.oneIn(2)
    let node = choices.rest()
    var list = pref64_list()
    _ = unsafe pref64_list_parse("64:ff9b::/96,2001:db8::/32,2001:db8:1:2::/64", &list)

    var broken: BrokenInvariant?
    unsafe withCString(node) { node in
        unsafe withCString(service) { service in
            unsafe withUnsafePointer(to: hints) { hints in
                var question = unsafe synthesis_question(
                    node: node, service: hasService ? UnsafePointer(service) : nil, hints: hasHints ? hints : nil)
                do throws(BrokenInvariant) { try unsafe check(&question, &list) } catch { broken = error }
            }
            _ = unsafe synthesis_is_numeric_node(node)
        }
    }
    if let broken { throw broken }
}

private func check(_ question: inout synthesis_question, _ list: inout pref64_list) throws(BrokenInvariant) {
    for number in 0..<UInt32(SYNTHESIS_PROFILE_COUNT) {
        var plan = unsafe synthesis_plan(synthesis_profile(number), &question)
        let kinds = unsafe plan.kind_count
        try require(kinds <= 2, "\(kinds) kinds")
        guard unsafe plan.step == SYNTHESIS_MAKE else { continue }
        var port: UInt16 = 0
        _ = unsafe synthesis_numeric_service(plan.service, &port)
        var entries = [synthesis_entry](repeating: synthesis_entry(), count: Int(SYNTHESIS_ENTRIES_MAX))
        let count = unsafe synthesis_entries(&plan, &list, port, &entries)
        try require(count <= entries.count, "\(count) entries")
        for entry in entries.prefix(count) {
            try require(entry.family == AF_INET || entry.family == AF_INET6, "an entry of family \(entry.family)")
        }
    }
}

// MARK: - Records

/// The Swift code reads the C code's record of a call; and it reads anything else without a trap.
private func checkRecord(_ choices: inout Choices) throws(BrokenInvariant) {
    var record = unsafe synthesis_record()
    unsafe record.pid = pid_t(choices.number16())
    unsafe record.offset = Int(choices.number32())
    unsafe record.result = Int32(truncatingIfNeeded: choices.number16())
    unsafe record.lost = UInt(choices.number16())
    let text = choices.rest()
    _ = try? EvidenceRecord(text)

    var line = [CChar](repeating: 0, count: Int(SYNTHESIS_RECORD_SIZE))
    let length = unsafe withCString(text) { text in
        unsafe "getaddrinfo".withCString { call in
            unsafe record.call = call
            unsafe record.node = UnsafePointer(text)
            unsafe record.program = UnsafePointer(text)
            unsafe record.module = UnsafePointer(text)
            return unsafe synthesis_record_write(&record, &line)
        }
    }
    try require(length <= line.count, "a line of \(length) octets")
    let octets = line.prefix(length).map { UInt8(bitPattern: $0) }
    let kept = text.prefix { $0 != 0 }.prefix(Int(SYNTHESIS_RECORD_STRING_MAX))
    do {
        let read = try EvidenceRecord(octets)
        try require(read.node == String(decoding: kept, as: UTF8.self), "another node: \(read)")
        let isSame = unsafe read.pid == Int(record.pid) && read.offset == record.offset
        try require(isSame, "other numbers: \(read)")
    } catch let error as BrokenInvariant {
        throw error
    } catch {
        throw BrokenInvariant("written, and not readable: \(error)")
    }
}
