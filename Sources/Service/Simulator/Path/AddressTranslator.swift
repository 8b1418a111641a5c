import Translation
import Wire

/// Which IPv6 addresses stand for IPv4 ones on a network.
struct AddressTranslator {
    /// Empty where nothing is translated.
    let prefixes: [Pref64]

    var isActive: Bool { !prefixes.isEmpty }

    func ipv4Address(behind address: IPv6Address) -> IPv4Address? {
        for prefix in prefixes {
            if let ipv4 = prefix.extract(address) { return ipv4 }
        }
        return nil
    }
}
