internal import LinuxNet
internal import Netlink

/// Why the network or the client's place in it cannot be made, and the command that mends it, where there is one.
public struct SandboxError: Error, Hashable, Sendable {
    /// What could not be done.
    public enum Step: UInt8, CaseIterable, Hashable, Sendable {
        case userNamespace
        case networkNamespace
        case mountNamespace
        case tun
        case network
        case files
        case launcher
    }

    public let step: Step
    /// One line for people.
    public let reason: String
    /// Commands, one a line, or nil where we know none.
    public let remedy: String?

    public init(_ step: Step, _ reason: String, remedy: String? = nil) {
        self.step = step
        self.reason = reason
        self.remedy = remedy
    }

    init(_ step: Step, _ error: SystemError, remedy: String? = nil) {
        self.init(step, "\(error)", remedy: remedy)
    }

    init(_ error: NetlinkError) {
        self.init(.network, "\(error)")
    }
}

extension SandboxError: CustomStringConvertible {
    public var description: String { reason + (remedy.map { "; try: \($0)" } ?? "") }
}
