// SPDX-License-Identifier: Apache-2.0
package import Suites

/// A program of this machine that serves a port of a host.
package struct ServedProgram: Hashable, Sendable {
    /// The connection or socket that it gets.
    package enum Manner: Hashable, Sendable {
        /// One program for each connection, which is its standard input and output, as inetd's are. With `tls` it gets what is behind
        /// TLS, from the handshake's end on.
        case perConnection(tls: Bool)
        /// One program for the port, from the first datagram on: its standard input and output are the bound socket, as with
        /// inetd's `wait`.
        case perSocket
        /// One program for the whole run, which listens for itself. With `tls` it is given a certificate.
        case standing(ServiceKind.Transport, tls: Bool)
    }

    /// For how long it has the same folder.
    package enum StateLife: Hashable, Sendable {
        /// For all runs of a client that a check takes; of a daemon, as long as that serves.
        case check
        /// For one of them: before the next, the program ends, is prepared in an empty folder, and starts again.
        case run
    }

    /// The program first. Words may have placeholders (`CommandPlaceholder`).
    package var command: [String]
    package var manner: Manner
    /// Run in the program's own folder before it starts; `nil` if there is nothing to prepare.
    package var prepare: [String]?
    package var stateLife: StateLife
    /// Conditions for a client's start, beside that it listens; for a standing program.
    package var ready: [Readiness]
    /// How long the preparation may take, and after it the program until it is ready.
    package var within: Duration
    /// Between SIGTERM and SIGKILL.
    package var grace: Duration

    package init(
        command: [String], manner: Manner = .perConnection(tls: false), prepare: [String]? = nil,
        stateLife: StateLife = .check, ready: [Readiness] = [], within: Duration = .seconds(20),
        grace: Duration = .seconds(5)
    ) {
        self.command = command
        self.manner = manner
        self.prepare = prepare
        self.stateLife = stateLife
        self.ready = ready
        self.within = within
        self.grace = grace
    }

    package var transport: ServiceKind.Transport {
        switch manner {
        case .perConnection: .tcp
        case .perSocket: .udp
        case .standing(let transport, _): transport
        }
    }

    /// Whether it has a folder of its own.
    package var hasState: Bool {
        if stateLife == .run { return true }
        let files = ready.compactMap { if case .file(let path) = $0 { path } else { nil } }
        return prepare != nil
            || (command + files).contains { CommandPlaceholder.all(in: $0).contains { $0.placeholder == .state } }
    }

    /// Whether what it prints decides whether it is ready.
    package var isReadyByLog: Bool { ready.contains { if case .log = $0 { true } else { false } } }
}

extension World {
    /// How long its programs may take until all are ready: they start together.
    package var programStartLimit: Duration { services.compactMap(\.kind.program?.within).max() ?? .zero }

    /// How long it may take to have those as new whose folder is for one run: one after another.
    package var programRenewalLimit: Duration {
        services.compactMap(\.kind.program).filter { $0.stateLife == .run }.map { $0.grace + $0.within }.reduce(
            .zero, +)
    }

    /// Maximum time of its programs between SIGTERM and SIGKILL.
    package var programGrace: Duration { services.compactMap(\.kind.program?.grace).max() ?? .zero }
}
