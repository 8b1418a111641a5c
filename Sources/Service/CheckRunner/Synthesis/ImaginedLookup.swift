// SPDX-License-Identifier: Apache-2.0
import CSynthesis
package import Evidence
import Glibc
package import Translation
package import Wire

/// A call of getaddrinfo on an imagined IPv6-only host, with each profile's answer.
///
/// The rules are the preloaded library's own. Calls that they leave alone are answered by this machine's getaddrinfo.
package struct ImaginedLookup: Sendable {
    package var node: String
    package var service: String?
    /// `nil` is a call with NULL.
    package var hints: LookupHints?

    package init(node: String, service: String?, hints: LookupHints?) {
        self.node = node
        self.service = service
        self.hints = hints
    }

    /// One entry of the answer.
    package struct Entry: Hashable, Sendable {
        package var address: IPAddress
        package var port: UInt16
        package var socktype: Int
        package var `protocol`: Int
    }

    package struct Answer: Hashable, Sendable {
        /// 0, or an EAI code.
        package var result: Int
        package var entries: [Entry]
        package var outcome: SynthesisOutcome?
    }

    /// The answer on a host with an IPv6 address, without IPv4, under these prefixes.
    package func answer(of profile: GetaddrinfoProfile, under prefixes: [Pref64]) -> Answer {
        var host = synthesis_imagined_host(has_ipv6: true, reaches_ipv4: false, prefixes: pref64_list())
        _ = unsafe pref64_list_parse(prefixes.map { "\($0)" }.joined(separator: ","), &host.prefixes)
        var chosen = SYNTHESIS_LINUX
        let isKnown = unsafe synthesis_profile_named(profile.rawValue, &chosen)
        precondition(isKnown, "a profile that the library does not have")

        var outcome = synthesis_outcome()
        var list: UnsafeMutablePointer<addrinfo>?
        let result = unsafe withQuestion { question in
            var question = unsafe question
            return unsafe synthesis_resolve(chosen, &question, &host, &list, &outcome)
        }
        defer { if result == 0 { unsafe synthesis_free(list) } }
        let word = unsafe String(cString: synthesis_reason_name(outcome.reason))
        return Answer(
            result: Int(result), entries: result == 0 ? unsafe Self.entries(list) : [],
            outcome: SynthesisOutcome(rawValue: word))
    }

    private func withQuestion(_ body: (synthesis_question) -> Int32) -> Int32 {
        unsafe node.withCString { node in
            unsafe withOptionalCString(service) { service in
                guard let hints else {
                    return unsafe body(synthesis_question(node: node, service: service, hints: nil))
                }
                var asked = unsafe addrinfo()
                unsafe asked.ai_family = Int32(truncatingIfNeeded: hints.family)
                unsafe asked.ai_socktype = Int32(truncatingIfNeeded: hints.socktype)
                unsafe asked.ai_protocol = Int32(truncatingIfNeeded: hints.protocol)
                unsafe asked.ai_flags = Int32(truncatingIfNeeded: hints.flags)
                return unsafe withUnsafePointer(to: &asked) { asked in
                    unsafe body(synthesis_question(node: node, service: service, hints: asked))
                }
            }
        }
    }

    private static func entries(_ list: UnsafeMutablePointer<addrinfo>?) -> [Entry] {
        var entries: [Entry] = []
        var next = unsafe list
        while let entry = unsafe next {
            if let (address, port) = unsafe endpoint(entry.pointee) {
                unsafe entries.append(
                    Entry(
                        address: address, port: port, socktype: Int(entry.pointee.ai_socktype),
                        protocol: Int(entry.pointee.ai_protocol)))
            }
            unsafe next = entry.pointee.ai_next
        }
        return entries
    }

    /// `nil` for a family that is neither IPv4 nor IPv6.
    private static func endpoint(_ entry: addrinfo) -> (IPAddress, UInt16)? {
        let octets = unsafe UnsafeRawBufferPointer(start: entry.ai_addr, count: Int(entry.ai_addrlen))
        let length = octets.count
        switch unsafe entry.ai_family {
        case AF_INET where length >= MemoryLayout<sockaddr_in>.size:
            let address = unsafe octets.loadUnaligned(as: sockaddr_in.self)
            return (
                .ipv4(IPv4Address(bits: UInt32(bigEndian: address.sin_addr.s_addr))),
                UInt16(bigEndian: address.sin_port)
            )
        case AF_INET6 where length >= MemoryLayout<sockaddr_in6>.size:
            var address = unsafe octets.loadUnaligned(as: sockaddr_in6.self)
            let bits = unsafe withUnsafeBytes(of: &address.sin6_addr) {
                unsafe $0.reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
            }
            return (.ipv6(IPv6Address(bits: bits)), UInt16(bigEndian: address.sin6_port))
        default: return nil
        }
    }
}

private func withOptionalCString<Result>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result {
    guard let text else { return body(nil) }
    return unsafe text.withCString { unsafe body($0) }
}
