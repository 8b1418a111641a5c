// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials
package import Reports

/// A query that the DNS64 answered, or dropped by a fault.
package struct DNSLogLine: Codable, Hashable, Sendable {
    /// Counts up by one from 1 with each query that the daemon sees.
    package var number: UInt64
    package var time: Date
    /// The client that asked, if it is still known.
    package var client: UInt64?
    /// Its keys are in the same object as the others.
    package var query: DNSQueryRecord
    /// The whole query in a line, as `nat64sim dns-log` prints it after number and time.
    package var text: String

    private enum Keys: String, CodingKey {
        case number, time, client, text
    }

    package init(number: UInt64, time: Date, client: UInt64?, query: DNSQueryRecord, text: String) {
        self.number = number
        self.time = time
        self.client = client
        self.query = query
        self.text = text
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        number = try container.decode(UInt64.self, forKey: .number)
        time = try container.decode(Date.self, forKey: .time)
        client = try container.decodeIfPresent(UInt64.self, forKey: .client)
        text = try container.decode(String.self, forKey: .text)
        query = try DNSQueryRecord(from: decoder)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(number, forKey: .number)
        try container.encode(time, forKey: .time)
        try container.encodeIfPresent(client, forKey: .client)
        try container.encode(text, forKey: .text)
        try query.encode(to: encoder)
    }
}

/// A range of the log.
package struct DNSLog: Codable, Hashable, Sendable {
    /// Oldest first.
    package var items: [DNSLogLine]
    /// The number of the first line after `items`: the next one to request.
    package var next: UInt64
    /// Requested lines that had already made room for later ones.
    package var lost: UInt64

    package init(_ items: [DNSLogLine], next: UInt64, lost: UInt64) {
        self.items = items
        self.next = next
        self.lost = lost
    }
}
