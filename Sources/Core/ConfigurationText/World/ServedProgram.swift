// SPDX-License-Identifier: Apache-2.0
package import Suites

/// A program of this machine that serves a port of a host.
package struct ServedProgram: Hashable, Sendable {
    /// How a program is started, and what it gets.
    package enum Manner: Hashable, Sendable {
        /// One program per connection, which is its standard input and output, as with inetd. With `tls` it gets the data inside TLS, after
        /// the handshake.
        case perConnection(tls: Bool)
        /// One program for the port, started by the first datagram: its standard input and output are the bound socket, as with inetd's
        /// `wait`.
        case perSocket
        /// One program for the whole run, which listens by itself. With `tls` it gets a certificate.
        case standing(ServiceKind.Transport, tls: Bool)
    }

    /// How long it keeps the same folder.
    package enum StateLife: Hashable, Sendable {
        /// For all of a client's runs in a check; in a daemon, as long as that serves.
        case check
        /// For one run: before the next, the program is ended, prepared in an empty folder, and started again.
        case run
    }

    /// The program and its arguments. Words may have placeholders (`CommandPlaceholder`).
    package var command: [String]
    package var manner: Manner
    /// A command that runs in the program's own folder before it starts; `nil` if there is nothing to prepare.
    package var prepare: [String]?
    package var stateLife: StateLife
    /// Conditions that must hold before a client starts, besides that it listens; for a standing program.
    package var ready: [Readiness]
    /// Maximum time for the preparation, and then for the program to become ready.
    package var within: Duration
    /// Time between SIGTERM and SIGKILL.
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

    /// Whether its readiness depends on its output.
    package var isReadyByLog: Bool { ready.contains { if case .log = $0 { true } else { false } } }
}

extension World {
    /// Maximum time until all of its programs are ready: they start together.
    package var programStartLimit: Duration { services.compactMap(\.kind.program?.within).max() ?? .zero }

    /// Maximum time to renew the programs that have a folder for one run: one after another.
    package var programRenewalLimit: Duration {
        services.compactMap(\.kind.program).filter { $0.stateLife == .run }.map { $0.grace + $0.within }.reduce(
            .zero, +)
    }

    /// Maximum time between SIGTERM and SIGKILL of its programs.
    package var programGrace: Duration { services.compactMap(\.kind.program?.grace).max() ?? .zero }
}
