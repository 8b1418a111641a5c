internal import Glibc

/// Which descriptors the client has as standard input, output and error; nil is the runner's own.
public struct StandardStreams: Hashable, Sendable {
    public var input: Int32?
    public var output: Int32?
    public var error: Int32?

    public static let inherited = StandardStreams(input: nil, output: nil, error: nil)

    public init(input: Int32? = nil, output: Int32? = nil, error: Int32? = nil) {
        self.input = input
        self.output = output
        self.error = error
    }

    /// Numbers of the client, and the descriptors that take them.
    var replacements: [(number: Int32, by: Int32)] {
        [(STDIN_FILENO, input), (STDOUT_FILENO, output), (STDERR_FILENO, error)].compactMap { number, descriptor in
            descriptor.map { (number, $0) }
        }
    }
}
