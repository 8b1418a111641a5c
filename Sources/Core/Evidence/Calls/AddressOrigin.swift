// SPDX-License-Identifier: Apache-2.0
package import DNSWire

/// The origin of an address that a program used.
package struct AddressOrigin: Codable, Hashable, Sendable {
    package enum Place: Codable, Hashable, Sendable {
        /// An argument of the client's command line. Argument 0 is the program's name.
        case argument(Int, of: String)
        /// The text that a shell runs (`sh -c TEXT`).
        case command(shell: String)
        case environment(variable: String)
        /// A file that the program opened; the address's line, if it is text.
        case file(path: String, line: Int?)
        /// Data of the executable or of a library.
        case data(module: String)
        /// A record of this type for this name.
        case answer(DomainName, RecordType)
        /// Data that a host sent.
        case payload(ReceivedLocation)
    }

    package var place: Place
    /// `false` if the match may be chance: four octets in a row look like an address somewhere in any large file.
    package var isCertain: Bool

    package init(_ place: Place, isCertain: Bool = true) {
        self.place = place
        self.isCertain = isCertain
    }
}
