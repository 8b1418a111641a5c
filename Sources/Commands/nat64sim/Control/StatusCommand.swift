// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Control
import Terminal
import Text

struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show a running daemon's status; the exit code says whether it is ready.",
        discussion: """
            Exit codes: 0 the daemon is ready · 1 it is not, or none answers (with --wait: not in that time) · 2 wrong usage. \
            So it serves as a container's health check: HEALTHCHECK CMD nat64sim status
            """)

    @OptionGroup var control: ControlOptions

    @Option(
        defaultAsFlag: WrittenDuration.oneMinute,
        help: ArgumentHelp("Wait until it is ready, at most this long: 30, 90s, 5m.", valueName: "time"))
    var wait: WrittenDuration?

    func run() throws {
        let status = try wait.map { try awaitReadiness($0.duration) } ?? control.ask { try await $0.status() }
        try control.show(status, as: describe)
        if status.readiness.state != .ready {
            throw CommandFailure(
                description: "the daemon is not ready: " + reason(status.readiness), status: .noSuccess)
        }
    }

    private func awaitReadiness(_ time: Duration) throws -> Status {
        let clock = ContinuousClock()
        let deadline = clock.now + time
        return try control.ask { client in
            while true {
                let isLast = clock.now >= deadline
                do throws(ControlClientError) {
                    let status = try await client.status()
                    if status.readiness.state == .ready || isLast { return status }
                } catch {
                    // Waiting does not help against a lack of permission.
                    if case .notAllowed = error { throw error }
                    if isLast { throw error }
                }
                try await clock.sleep(until: min(deadline, clock.now + .milliseconds(100)))
            }
        }
    }

    private func reason(_ readiness: DaemonReadiness) -> String {
        printable(readiness.waitingFor.map { "\($0) does not answer" }.joined(separator: ", "))
    }

    private func describe(_ status: Status) -> String {
        let (uplink, limits) = (status.uplink, status.limits)
        let clients = status.networks.reduce(0) { $0 + $1.clients }
        let networks = status.networks.map { "\($0.name) \($0.clients)" }.joined(separator: ", ")
        let pool = uplink.pool.isEmpty ? "" : ", as \(ranges(uplink.pool))"
        let forwarders = uplink.forwarders.isEmpty ? "" : ", DNS from \(uplink.forwarders.joined(separator: ", "))"
        let lines = [
            "nat64sim \(status.version)  \(status.readiness.state.rawValue), up \(span(status.uptime))",
            "Pref64    \(status.pref64)",
            "uplink    \(uplink.kind.rawValue)\(pool)\(forwarders)",
            "clients   \(clients) of \(limits.clients): \(networks)",
            "limits    of a client: \(limits.sessionsPerClient) sessions, \(limits.bindingsPerClient) bindings; "
                + "in all: \(limits.dnsLogLines) lines of DNS log, \(limits.faults) faults",
        ]
        return lines.map(printable).joined(separator: "\n")
    }
}
