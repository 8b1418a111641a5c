import LinuxNet
import NAT64
import Translation
import Wire

/// Translates packets that come and go over two inherited sockets, in real time: for tests, benchmarks and embedding.
///
/// Theory of operation. One thread waits for packets, for the translator's next deadline and for signals. A side whose other
/// end is gone is not asked any more; when both are, or a signal to end has come, the loop ends. Nothing queues here: a packet
/// for which a socket has no room is lost, as on any link.
public final class DescriptorLoop {
    private enum Token: UInt64 {
        case ipv6, ipv4, signal
    }

    /// Packets that one side may deliver before the other has its turn.
    private static let turn = 64

    private let output: DescriptorOutput
    private let gateway: Gateway
    private let signals: SignalQueue
    private var epoll: Epoll
    private var buffer = PacketBuffer()
    private var openSides = Set(Side.allCases)
    private var now = MonotonicClock.now()

    /// Translates until both sockets' other ends are gone, or SIGTERM, SIGINT or SIGHUP comes.
    /// - Parameter report: the path of a file for the summary; nil for none.
    public static func run(
        _ configuration: GatewayConfiguration, ipv6: Int32, ipv4: Int32, report: String?
    ) throws -> GatewaySummary {
        let ending: SignalSet = [.hangUp, .interrupt, .terminate]
        Signals.block(ending)
        var report = try ReplayReport.open(report)
        if ipv6 == ipv4 { throw GatewayError("descriptor \(ipv6) cannot be both sides") }
        let output = DescriptorOutput(
            ipv6: try PacketSocket(inheriting: ipv6), ipv4: try PacketSocket(inheriting: ipv4))
        let loop = try DescriptorLoop(configuration, output, try SignalQueue(ending))
        loop.run()
        let summary = GatewaySummary(counters: loop.gateway.counters, drops: output.drops)
        var line = JSONObject()
        line.add("summary", summary.json)
        try report?.add(line)
        try report?.flush()
        return summary
    }

    private init(
        _ configuration: GatewayConfiguration, _ output: DescriptorOutput, _ signals: consuming SignalQueue
    ) throws {
        self.output = output
        gateway = try Gateway(configuration, now: now, output: output)
        epoll = try Epoll()
        self.signals = signals
        try epoll.add(output.ipv6.descriptor, .readable, token: Token.ipv6.rawValue)
        try epoll.add(output.ipv4.descriptor, .readable, token: Token.ipv4.rawValue)
        try epoll.add(self.signals.descriptor, .readable, token: Token.signal.rawValue)
    }

    private func run() {
        while !openSides.isEmpty {
            let events = epoll.wait(until: gateway.nextDeadline)
            now = MonotonicClock.now()
            for index in 0..<events {
                switch Token(rawValue: epoll[index].token) {
                case .ipv6: drain(.ipv6)
                case .ipv4: drain(.ipv4)
                case .signal, nil: return
                }
            }
            gateway.expire(at: now)
            for side in output.goneSides { close(side) }
        }
    }

    private func drain(_ side: Side) {
        for _ in 0..<Self.turn {
            switch side == .ipv6 ? output.ipv6.read(into: &buffer) : output.ipv4.read(into: &buffer) {
            case .packet: gateway.receive(&buffer, from: side, at: now)
            case .tooLong: gateway.refuse(buffer, from: side, because: .malformedIPv6Header)
            case .wouldBlock: return
            case .closed, .error: return close(side)
            }
        }
    }

    private func close(_ side: Side) {
        guard openSides.remove(side) != nil else { return }
        // It fails only where the descriptor is not watched, and it is.
        try? epoll.remove(side == .ipv6 ? output.ipv6.descriptor : output.ipv4.descriptor)
    }
}
