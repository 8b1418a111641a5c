// SPDX-License-Identifier: Apache-2.0
/// The tracer's observations of a run.
package struct CallEvidence: Codable, Hashable, Sendable {
    /// In the order of their first appearance.
    package var calls: [TracedCall] = []
    package var programs: [TracedProgram] = []
    /// Files that a program opened for reading and that are not of the system, each once, in order.
    package var openedFiles: [OpenedFile] = []
    /// Calls that interpreters announced before they made them.
    package var announced: [AnnouncedCall] = []
    /// Where programs ended themselves with an error, in order; the first 64.
    package var ends: [TracedEnd] = []
    /// IPv6 addresses in the client's arguments, its environment and its own files other than source code.
    package var given: [GivenAddress] = []
    /// Proxy settings from environments, each once.
    package var proxies: [ProxySetting] = []
    /// TCP ports that refused the client on its own loopback addresses, and on which the machine listens.
    package var machinePorts: [UInt16] = []
    /// Calls that did not fit the bounded log.
    package var lost = 0
    /// Whether a program of the client is a tracer itself (strace, a debugger): it fails under ours, whatever the network.
    package var hasRivalTracer = false
    /// Parts of the client that were not traced, a sentence each.
    package var gaps: [String] = []

    package init() {}

    package func program(of call: TracedCall) -> TracedProgram? {
        programs.indices.contains(call.program) ? programs[call.program] : nil
    }
}

/// A program that a process of the client ran, from one exec to the next.
package struct TracedProgram: Codable, Hashable, Sendable {
    /// As the client sees it.
    package var process: Int32
    /// Index in `CallEvidence.programs` of its parent, or of the program that the same process ran before; `nil` for the client itself.
    package var parent: Int?
    /// The path of the executable; for a script, its interpreter's.
    package var executable: String
    package var arguments: [String]
    package var workingDirectory: String
    /// Since the client began to run.
    package var start: Duration
    /// `nil` if it was not seen to end by itself.
    package var end: Duration?
    /// The line of the script that started it, if that is known.
    package var startedAt: StackFrame?
    /// The line of its configuration that keeps it to IPv4, if there is one.
    package var keptToIPv4At: StackFrame?
    /// The only line that names IPv4 alone: of its sources, or, for an option of its command line, of the script that started it.
    package var choosesIPv4At: StackFrame?

    package init(
        process: Int32, parent: Int? = nil, executable: String, arguments: [String] = [],
        workingDirectory: String = "/", start: Duration = .zero, end: Duration? = nil
    ) {
        self.process = process
        self.parent = parent
        self.executable = executable
        self.arguments = arguments
        self.workingDirectory = workingDirectory
        self.start = start
        self.end = end
    }
}

extension TracedProgram {
    /// Whether an argument is a -4 of curl, alone or among short options of which none takes a value (`-fsS4`).
    package static func isCombinedOption4(_ argument: String) -> Bool {
        argument.wholeMatch(of: /-[afgiklnpqsvILNOSZ#]*4[afgiklnpqsvILNOSZ#]*/) != nil
    }
}

/// A file that a program opened for reading.
package struct OpenedFile: Codable, Hashable, Sendable {
    /// Absolute.
    package var path: String
    /// Index of the program in `CallEvidence.programs`.
    package var program: Int
    package var time: Duration

    package init(path: String, program: Int, time: Duration) {
        self.path = path
        self.program = program
        self.time = time
    }
}
