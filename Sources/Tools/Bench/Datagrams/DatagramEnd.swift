// SPDX-License-Identifier: Apache-2.0
import CDatagrams
import Glibc
import LinuxNet
import Wire

/// The two ends of a stream of datagrams, each in its own process: this executable, started again.
///
///     Bench --datagrams send ADDRESS PORT SIZE FLOWS RATE SECONDS     prints the number of sent datagrams, and the seconds
///     Bench --datagrams receive PORT SECONDS                          prints "ready", then the number of received datagrams
enum DatagramEnd {
    static let flag = "--datagrams"
    static func runIfAsked() {
        let words = Array(CommandLine.arguments.dropFirst())
        guard words.first == flag else { return }
        do throws(BenchFailure) {
            try run(Array(words.dropFirst()))
        } catch {
            print(error)
            exit(1)
        }
        exit(0)
    }

    static func send(to address: String, _ port: UInt16, _ stream: DatagramStream, seconds: Int) -> [String] {
        [CommandLine.arguments[0], flag, "send", address, "\(port)"]
            + ["\(stream.size)", "\(stream.flows)", "\(stream.rate)", "\(seconds)"]
    }

    static func receive(at port: UInt16, seconds: Int) throws(BenchFailure) -> ChildProcess {
        let receiver = try ChildProcess.service(
            CommandLine.arguments[0], flag, "receive", "\(port)", "\(seconds)", output: .read)
        if receiver.readLine() != "ready\n" { throw BenchFailure("no receiver of datagrams") }
        return receiver
    }

    private static func run(_ words: [String]) throws(BenchFailure) {
        switch words.first {
        case "send" where words.count == 7:
            guard let address = IPv6Address(words[1]), let port = UInt16(words[2]), let size = Int32(words[3]),
                let flows = Int32(words[4]), let rate = Double(words[5]), let seconds = Double(words[6])
            else { throw BenchFailure("no such stream: \(words)") }
            var stream = cdatagrams_stream()
            stream.to.sin6_family = sa_family_t(AF_INET6)
            stream.to.sin6_port = port.bigEndian
            unsafe withUnsafeMutableBytes(of: &stream.to.sin6_addr) { bytes in
                for index in 0..<16 {
                    unsafe bytes[index] = UInt8(truncatingIfNeeded: address.bits >> UInt128(8 * (15 - index)))
                }
            }
            stream.size = size
            stream.flows = flows
            stream.rate = rate
            stream.seconds = seconds
            var sent = cdatagrams_sent()
            if unsafe cdatagrams_send(&stream, &sent) != 0 { throw BenchFailure("cannot send: \(Errno(errno))") }
            print(sent.count, sent.seconds)
        case "receive" where words.count == 3:
            let socket = cdatagrams_listen(Int32(words[1]) ?? 0)
            if socket < 0 { throw BenchFailure("cannot receive: \(Errno(errno))") }
            print("ready")
            fflush(nil)
            print(cdatagrams_count(socket, 0.5, Double(words[2]) ?? 0))
        default:
            throw BenchFailure("\(flag) send ADDRESS PORT SIZE FLOWS RATE SECONDS, or \(flag) receive PORT SECONDS")
        }
    }
}
