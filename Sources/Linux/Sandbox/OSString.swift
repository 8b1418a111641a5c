/// A string as the system has it: any octets but NUL. Arguments, environments and paths need not be UTF-8, and a client gets
/// them as they were.
public struct OSString: Hashable, Sendable {
    public let bytes: [UInt8]

    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    public init(_ text: some StringProtocol) {
        bytes = Array(text.utf8)
    }
}

extension OSString: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) { self.init(text) }
}

extension OSString: CustomStringConvertible {
    /// For people: what is not UTF-8 shows as U+FFFD.
    public var description: String { String(decoding: bytes, as: UTF8.self) }
}
