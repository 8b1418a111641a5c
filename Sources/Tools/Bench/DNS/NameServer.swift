// SPDX-License-Identifier: Apache-2.0
import Glibc
import LinuxNet
import Wire

/// A DNS64 under measurement: ours, Debian's Unbound or Debian's BIND, all with the same upstream and prefix, and room for all the names.
struct NameServer: ~Copyable {
    enum Kind: String, CaseIterable {
        case ours
        /// Answers from its own table, without an upstream.
        case least = "LeastResponder"
        case unbound = "Unbound"
        case bind = "BIND"
    }

    let port: UInt16
    private let process: ChildProcess
    private let configuration: TemporaryFile

    init(_ kind: Kind, upstream: UInt16, _ sticks: Sticks) throws(BenchFailure) {
        let port = try Self.freePort()
        let configuration = try TemporaryFile(Self.configuration(kind, port: port, upstream: upstream))
        let process = try Self.start(kind, configuration.path, port: port, upstream: upstream, sticks)
        try Self.awaitAnswer(port)
        self.port = port
        self.process = process
        self.configuration = configuration
    }

    /// Why a server of this kind is not available; `nil` if it is.
    static func absence(of kind: Kind, _ sticks: Sticks) -> String? {
        switch kind {
        case .ours: nil
        case .least: ForeignProgram.absence(of: sticks.responder)
        case .unbound: ForeignProgram.absence(of: "unbound")
        case .bind: ForeignProgram.absence(of: "named")
        }
    }

    private static func start(
        _ kind: Kind, _ configuration: String, port: UInt16, upstream: UInt16, _ sticks: Sticks
    ) throws(BenchFailure) -> ChildProcess {
        switch kind {
        case .ours: try .service(CommandLine.arguments[0], OwnNameServer.flag, "forwards", "\(port)", "\(upstream)")
        case .least: try .service(sticks.responder, "\(port)", "\(OwnNameServer.names)")
        case .unbound: try .service("unbound", "-d", "-c", configuration)
        case .bind: try .service("named", "-g", "-n", "2", "-c", configuration)
        }
    }

    private static func configuration(_ kind: Kind, port: UInt16, upstream: UInt16) -> String {
        switch kind {
        case .ours, .least: ""
        case .unbound:
            """
            server:
                num-threads: 2
                so-reuseport: yes
                # Room for all names, several times over; the defaults (4 MB) are for a few thousand.
                msg-cache-size: 64m
                rrset-cache-size: 128m
                msg-cache-slabs: 2
                rrset-cache-slabs: 2
                # Where it is unpacked and not installed, it has no folder of its own.
                directory: "/tmp"
                interface: 127.0.0.1@\(port)
                do-not-query-localhost: no
                local-zone: "test." transparent
                module-config: "dns64 iterator"
                dns64-prefix: \(OwnNameServer.prefix)
                chroot: ""
                username: ""
                pidfile: ""
                use-syslog: no
            remote-control:
                control-enable: no
            forward-zone:
                name: "."
                forward-addr: 127.0.0.1@\(upstream)

            """
        case .bind:
            """
            options {
                directory "/tmp"; pid-file none; session-keyfile none;
                listen-on port \(port) { 127.0.0.1; }; listen-on-v6 { none; };
                recursion yes; dnssec-validation no; notify no;
                // Room for all names, several times over.
                max-cache-size 256m;
                forward only; forwarders { 127.0.0.1 port \(upstream); };
                dns64 \(OwnNameServer.prefix) { };
            };
            controls { };

            """
        }
    }

    /// Seconds of processor time used so far.
    var processorTime: Double { ProcessClock.time(of: process.number) }

    /// Resident memory, in octets.
    var residentMemory: Double {
        let status = (try? Descriptor.contents(of: "/proc/\(process.number)/status")) ?? []
        let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        let kilobytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) }
        return (kilobytes ?? .nan) * 1024
    }

    /// A port without a listener.
    static func freePort() throws(BenchFailure) -> UInt16 {
        do throws(SystemError) {
            return try DatagramSocket(bindingTo: SocketAddress(IPv4Address(127, 0, 0, 1), port: 0)).localAddress.port
        } catch {
            throw BenchFailure("\(error)")
        }
    }

    static func awaitAnswer(_ port: UInt16) throws(BenchFailure) {
        let questions = try TemporaryFile("other.bench.test A\n")
        let end = MonotonicClock.now() + .seconds(10)
        while MonotonicClock.now() < end {
            if let run = try? DNSPerf.run(port, questions: questions.path, ["-n", "1", "-t", "1"]), run.lost == 0 {
                return
            }
            usleep(100_000)
        }
        throw BenchFailure("nothing answers at port \(port)")
    }
}
