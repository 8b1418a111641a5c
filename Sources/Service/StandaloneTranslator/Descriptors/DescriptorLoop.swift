// SPDX-License-Identifier: Apache-2.0
package import ConfigurationText
import LinuxNet
import NAT64
import Router
import Translation
import Wire

/// Translates packets in real time, between two inherited sockets or on a network interface of its own: for tests, benchmarks,
/// embedding, and as a translator of a host.
///
/// Theory of operation. One thread waits for packets, for the translator's next deadline and for signals. A side whose other
/// end is gone is not read any more; when both are, or a signal to end has come, the loop ends. Nothing queues here.
package final class DescriptorLoop {
    /// The interface between the loop and its owner while it runs.
    package struct Owner {
        /// Reads the configuration again, for SIGHUP; `nil` if there is no file, in which case SIGHUP ends the loop.
        package var reread: (() throws -> TranslatorConfiguration)?
        package var tell: (News) -> Void

        package init(reread: (() throws -> TranslatorConfiguration)? = nil, tell: @escaping (News) -> Void = { _ in }) {
            self.reread = reread
            self.tell = tell
        }
    }

    package enum News {
        /// Sent on SIGUSR1.
        case counters(TranslatorSummary)
        case reread
        /// The old configuration stays in force.
        case notReread(any Error)
    }

    private enum Token: UInt64 {
        case ipv6, ipv4, signal
    }

    private enum End {
        case sidesGone, signal
    }

    /// Packets that one side may deliver before the other has its turn.
    private static let turn = 64

    private let ends: any PacketEnds
    private let output: DescriptorOutput
    private var router: Router
    private let signals: SignalQueue
    private let owner: Owner
    private var epoll: Epoll
    private var buffer = PacketBuffer()
    private var openSides: Set<Side> = []
    private var now = MonotonicClock.now()

    /// Translates until both sockets' other ends are gone, or SIGTERM or SIGINT comes.
    /// - Parameter report: the path of a file for the summary; `nil` for none.
    package static func run(
        _ configuration: TranslatorConfiguration, ipv6: Int32, ipv4: Int32, report: String?, owner: Owner = Owner()
    ) throws -> TranslatorSummary {
        let signals = try SignalQueue.ofLoop()
        var report = try ReplayReport.open(report)
        let loop = try DescriptorLoop(configuration, SocketEnds(ipv6: ipv6, ipv4: ipv4), signals, owner)
        _ = loop.run()
        return try loop.finish(&report)
    }

    /// As above, on the TUN interface `tun`: packets of both families come from it, and are sent to it once translated.
    package static func run(
        _ configuration: TranslatorConfiguration, tun: String, report: String?, owner: Owner = Owner()
    ) throws -> TranslatorSummary {
        let signals = try SignalQueue.ofLoop()
        var report = try ReplayReport.open(report)
        let loop = try DescriptorLoop(configuration, InterfaceEnds(name: tun), signals, owner)
        let end = loop.run()
        let summary = try loop.finish(&report)
        if end == .sidesGone { throw TranslatorError("\(tun): the interface is gone") }
        return summary
    }

    private init(
        _ configuration: TranslatorConfiguration, _ ends: any PacketEnds, _ signals: consuming SignalQueue,
        _ owner: Owner
    ) throws {
        self.ends = ends
        self.owner = owner
        output = DescriptorOutput(ends)
        var configuration = configuration
        configuration.seed = configuration.seed ?? UInt64.random(in: 0 ... .max)
        router = try Router(RouterConfiguration(configuration), now: now, output: output)
        epoll = try Epoll()
        self.signals = signals
        try open(.ipv6, Token.ipv6)
        if ends.descriptor(of: .ipv4) != ends.descriptor(of: .ipv6) { try open(.ipv4, Token.ipv4) }
        try epoll.add(self.signals.descriptor, .readable, token: Token.signal.rawValue)
    }

    private func open(_ side: Side, _ token: Token) throws {
        try epoll.add(ends.descriptor(of: side), .readable, token: token.rawValue)
        openSides.insert(side)
    }

    private func run() -> End {
        while !openSides.isEmpty {
            let events = epoll.wait(until: router.nextDeadline)
            now = MonotonicClock.now()
            for index in 0..<events {
                switch Token(rawValue: epoll[index].token) {
                case .ipv6: drain(.ipv6)
                case .ipv4: drain(.ipv4)
                case .signal, nil: if handleSignals() { return .signal }
                }
            }
            router.advance(to: now)
            for side in output.goneSides { close(side) }
        }
        return .sidesGone
    }

    private func finish(_ report: inout ReplayReport?) throws -> TranslatorSummary {
        let summary = router.summary
        var line = JSONObject()
        line.add("summary", summary.json)
        try report?.add(line)
        try report?.flush()
        return summary
    }

    // MARK: - Packets

    private func drain(_ side: Side) {
        for _ in 0..<Self.turn {
            switch ends.read(into: &buffer, from: side) {
            case .packet: router.receive(&buffer, from: Link(origin(of: side)), at: now)
            case .malformed: router.refuse(buffer, from: Link(side), because: .malformedIPv6Header)
            case .wouldBlock: return
            case .closed: return close(side)
            }
        }
    }

    /// If both families come from one interface, the packet's own family decides the side.
    private func origin(of side: Side) -> Side {
        ends.descriptor(of: .ipv4) == ends.descriptor(of: .ipv6) ? buffer.family ?? side : side
    }

    private func close(_ side: Side) {
        guard openSides.remove(side) != nil else { return }
        // Removing fails only if the descriptor is not watched, and it is.
        try? epoll.remove(ends.descriptor(of: side))
    }

    // MARK: - Signals

    /// Whether one of the signals ends the loop.
    private func handleSignals() -> Bool {
        while let signal = signals.next() {
            let signal = SignalSet(number: signal)
            if signal == .user1 {
                owner.tell(.counters(router.summary))
            } else if signal == .hangUp, let reread = owner.reread {
                do {
                    try router.reload(try reread(), at: now)
                    owner.tell(.reread)
                } catch {
                    owner.tell(.notReread(error))
                }
            } else {
                return true
            }
        }
        return false
    }
}

extension SignalQueue {
    fileprivate static func ofLoop() throws(SystemError) -> SignalQueue {
        let signals: SignalSet = [.hangUp, .interrupt, .terminate, .user1]
        Signals.block(signals)
        return try SignalQueue(signals)
    }
}
