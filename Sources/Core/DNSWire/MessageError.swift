// SPDX-License-Identifier: Apache-2.0
/// Why octets are not a DNS message.
public enum MessageError: Error, Equatable, Sendable {
    case truncated(needed: Int, available: Int)
    /// A compression pointer that does not go backwards (RFC 1035 §4.1.4: "a prior occurrence").
    case forwardPointer(at: Int, target: Int)
    /// More pointers than a name can have labels.
    case tooManyPointers(at: Int)
    /// A label whose two leading bits are 01 or 10 (RFC 6891 §5).
    case reservedLabel(at: Int)
    case nameTooLong(at: Int)
    /// The data of a record is shorter or longer than its type requires.
    case badRecordData(type: RecordType, length: Int)
    /// A second OPT record, or one in the wrong section (RFC 6891 §6.1.1).
    case misplacedOPT
}
