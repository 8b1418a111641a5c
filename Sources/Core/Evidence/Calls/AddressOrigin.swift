// SPDX-License-Identifier: Apache-2.0
package import DNSWire

/// Where a program has an address from that it used.
package struct AddressOrigin: Codable, Hashable, Sendable {
    package enum Place: Codable, Hashable, Sendable {
        /// An argument of the client's command line, from 0, the program's name being 0.
        case argument(Int, of: String)
        /// The text that a shell runs (`sh -c TEXT`).
        case command(shell: String)
        case environment(variable: String)
        /// A file that the program opened; its line, if it is text.
        case file(path: String, line: Int?)
        /// Data of the executable or of a library.
        case data(module: String)
        /// A record of this type for this name.
        case answer(DomainName, RecordType)
        /// What a host sent.
        case payload(ReceivedLocation)
    }

    package var place: Place
    /// Whether chance may have it: four octets in a row stand for an address somewhere in any large file.
    package var isCertain: Bool

    package init(_ place: Place, isCertain: Bool = true) {
        self.place = place
        self.isCertain = isCertain
    }
}
