/// Why the daemon does not do what was asked; the text says what would be done.
public struct ControlError: Error, Hashable, Sendable {
    public enum Kind: Sendable, CaseIterable {
        /// There is no such client, fault or resource.
        case notFound
        /// What was sent makes no sense.
        case invalid
        /// It makes sense, but not now or not in this configuration.
        case conflict
        /// A limit is reached.
        case exhausted
        /// The daemon is starting or stopping.
        case unavailable
    }

    public var kind: Kind
    public var text: String

    public init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }
}

extension ControlError: CustomStringConvertible {
    public var description: String { text }
}
