// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Text

/// How a client gets its IPv6 address and its default route, written `static`, `ra` or `ra,managed,lifetime=30m,search=corp.test`.
package enum LinkSetup: Hashable, Sendable {
    /// Both are present when the client starts, without any delay.
    case fixed
    /// From the router's advertisements (RFC 4861, RFC 4862), as on a real link.
    case advertised(Advertisement)

    package var advertisement: Advertisement? {
        if case .advertised(let advertisement) = self { advertisement } else { nil }
    }

    /// Why a text is no valid set-up, in a sentence for its author.
    package struct Mistake: Error, Hashable, CustomStringConvertible {
        package let description: String

        fileprivate init(_ description: String) { self.description = description }
    }

    /// The options after `ra,`.
    private enum Word: String, CaseIterable {
        case managed, other
        case noPREF64 = "no-pref64"
        case noRDNSS = "no-rdnss"
        case lifetime, pref64, search

        var takesValue: Bool {
            switch self {
            case .managed, .other, .noPREF64, .noRDNSS: false
            case .lifetime, .pref64, .search: true
            }
        }

        var written: String { takesValue ? "\(rawValue)=" : rawValue }
    }

    package init(_ text: some StringProtocol) throws(Mistake) {
        let items = text.split(separator: ",", omittingEmptySubsequences: false)
        switch items[0] {
        case "static" where items.count == 1: self = .fixed
        case "ra":
            var advertisement = Advertisement()
            for item in items.dropFirst() { try Self.apply(String(item), to: &advertisement) }
            self = .advertised(advertisement)
        default:
            throw Mistake(
                "a link is static or ra, or ra with more: ra,managed,lifetime=30m; not \"\(excerpt(text))\"")
        }
    }

    private static func apply(_ item: String, to advertisement: inout Advertisement) throws(Mistake) {
        let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts.first ?? "")
        guard let word = Word(rawValue: name), word.takesValue == (parts.count == 2) else {
            let words = Word.allCases.map(\.written)
            let hint =
                nearestWord(to: name, among: Word.allCases.map(\.rawValue)).map { " (did you mean \($0)?)" } ?? ""
            throw Mistake("behind ra there can be \(enumerated(words)), not \"\(excerpt(item))\"\(hint)")
        }
        let value = parts.count == 2 ? String(parts[1]) : ""
        switch word {
        case .managed: advertisement.isManaged = true
        case .other: advertisement.hasOtherConfiguration = true
        case .noPREF64: advertisement.pref64Lifetime = nil
        case .noRDNSS: advertisement.namesResolvers = false
        case .lifetime:
            let seconds = seconds(value)
            guard let seconds, seconds == 0 || Advertisement.routerLifetimes.contains(seconds) else {
                throw Mistake("lifetime is 0, or from 10m to 150m (RFC 4861 §6.2.1), not \"\(excerpt(value))\"")
            }
            advertisement.routerLifetime = seconds
        case .pref64:
            guard let seconds = seconds(value), Advertisement.pref64Lifetimes.contains(seconds) else {
                throw Mistake("pref64 is a time of whole seconds to 65528 (RFC 8781 §4), not \"\(excerpt(value))\"")
            }
            advertisement.pref64Lifetime = seconds
        case .search:
            guard let name = try? DomainName(value), !name.isRoot else {
                throw Mistake("search is a domain such as corp.test, not \"\(excerpt(value))\"")
            }
            guard advertisement.searchDomains.count < Advertisement.searchDomainLimit else {
                throw Mistake("search: at most \(Advertisement.searchDomainLimit) domains")
            }
            advertisement.searchDomains.append(name)
        }
    }

    private static func seconds(_ text: String) -> Int? {
        guard let time = Duration(written: text, in: .zero...Duration.seconds(100_000)),
            time.components.attoseconds == 0
        else { return nil }
        return Int(time.components.seconds)
    }
}

extension LinkSetup: TextCodable {
    package var description: String {
        guard let advertisement else { return "static" }
        let usual = Advertisement()
        var items = ["ra"]
        if advertisement.isManaged { items.append(Word.managed.rawValue) }
        if advertisement.hasOtherConfiguration { items.append(Word.other.rawValue) }
        if advertisement.routerLifetime != usual.routerLifetime {
            items.append("\(Word.lifetime.written)\(advertisement.routerLifetime)s")
        }
        if advertisement.pref64Lifetime != usual.pref64Lifetime {
            items.append(advertisement.pref64Lifetime.map { "\(Word.pref64.written)\($0)s" } ?? Word.noPREF64.rawValue)
        }
        if !advertisement.namesResolvers { items.append(Word.noRDNSS.rawValue) }
        return (items + advertisement.searchDomains.map { "\(Word.search.written)\($0)" }).joined(separator: ",")
    }
}
