// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import Evidence
import Glibc
import LinuxNet
import Sandbox
import Suites
import Topology
import Wire
import World

/// Sends the requests of clients on the far side to a server under test.
struct Prober {
    private let order: RunOrder
    /// The network of a server under test never changes.
    private var network: Network { order.network.network }
    private let world: World
    private let environment: [OSString]
    private let hasEnded: () -> Bool

    /// Maximum time of a request; a command has the test's own.
    private static let limit = Duration.seconds(10)

    /// Time for a server to listen on the other family as well, with a socket or a process of its own.
    private static let furtherSocket = Duration.seconds(1)
    private static let interval = Duration.milliseconds(50)

    /// - Parameter hasEnded: whether the server has ended.
    init(_ order: RunOrder, _ world: World, environment: [OSString], unless hasEnded: @escaping () -> Bool) {
        self.order = order
        self.world = world
        self.environment = environment
        self.hasEnded = hasEnded
    }

    func run() -> [ProbeAnswer] {
        let listens = MonotonicClock.now() + Self.furtherSocket
        return order.probes.map { probe in
            // In the control run all probes use IPv4: so a listener passes that works except with IPv6.
            let origin = order.isControl && world.source(of: .ipv4) != nil ? .ipv4 : probe.origin
            while true {
                let result = result(of: probe, from: origin)
                if result != .refused || listens <= MonotonicClock.now() {
                    return ProbeAnswer(probe, from: origin, result)
                }
                sleep(until: MonotonicClock.now() + Self.interval)
            }
        }
    }

    private func result(of probe: Probe, from origin: Probe.Origin) -> ProbeAnswer.Result {
        if hasEnded() { return .unsent("the server has ended") }
        guard let address = destination(origin) else {
            return .unsent("there is no such address on \(network.rawValue)")
        }
        let target = SocketAddress(address, port: probe.action.port)
        guard let source = world.source(of: origin).map({ SocketAddress($0, port: 0) }) else {
            return .unsent("the world has no host with an \(origin.family) address to come from")
        }
        switch probe.action {
        case .page(let request):
            return HTTPProbe.get(request, at: target, from: source, within: Self.limit, unless: hasEnded)
        case .tcp: return HTTPProbe.connect(to: target, from: source, within: Self.limit, unless: hasEnded)
        case .command(let command, _): return run(command, at: target)
        }
    }

    /// The listener's address for a client of that kind.
    private func destination(_ origin: Probe.Origin) -> IPAddress? {
        let place = ClientSlot(0, on: order.request.clientLink ?? .standard)
        return switch origin {
        case .ipv6: place.ipv6(on: network).map { .ipv6($0) }
        case .ipv4: place.ipv4(on: network).map { .ipv4($0) }
        case .ipv4ThroughNAT64: network.entry.hasNAT64 ? .ipv4(place.poolAddress) : nil
        }
    }

    private func run(_ command: [String], at target: SocketAddress) -> ProbeAnswer.Result {
        let host =
            switch target.host {
            case .ipv4(let address): "\(address)"
            case .ipv6(let address): "\(address)"
            }
        var variables = Environment(entries: environment)
        variables["PROBE_HOST"] = OSString(host)
        variables["PROBE_PORT"] = OSString("\(target.port)")
        variables["PROBE_URL"] = OSString("http://\(target)")
        var fixture = FixtureOrder(client: command, timeout: order.timeout, grace: order.grace)
        fixture.isInWorld = true
        do throws(SystemError) {
            let output = try MemoryFile.makeLog()
            let connection = try FixtureConnection(inWorld: fixture, environment: variables.entries, output: output)
            var result = ProbeAnswer.Result.unsent("it was not run")
            while let news = connection.next() {
                switch news {
                case .ready: continue
                case .failed(let failure): result = .unsent(failure.reason)
                case .ended(.timedOut, _): result = .timedOut
                case .ended(.killed(let signal), _): result = .failed("killed by signal \(signal)")
                case .ended(.exited(let status), _):
                    let printed = (try? MemoryFile.contents(of: output, maximum: OutputPipe.capturedStart)) ?? []
                    result = .command(status: status, output: String(decoding: printed, as: UTF8.self))
                }
            }
            return result
        } catch {
            return .unsent("\(error)")
        }
    }
}
