// SPDX-License-Identifier: Apache-2.0
import Glibc
package import LinuxNet
package import Suites
import Wire

/// Checks whether a server of a suite or of a world is ready.
package struct ReadinessCheck {
    /// The listening sockets that may belong to the server.
    private let listeners: () -> [ListeningSocket]
    /// Whether no other program's are among them.
    private let areOwn: Bool
    private let hasPrinted: (String) -> Bool
    /// The folder that relative paths start from.
    private let folder: String

    /// Maximum time of an HTTP request.
    private static let answerLimit = Duration.seconds(2)

    package init(
        listeners: @escaping () -> [ListeningSocket], areOwn: Bool = false, hasPrinted: @escaping (String) -> Bool,
        folder: String
    ) {
        self.listeners = listeners
        self.areOwn = areOwn
        self.hasPrinted = hasPrinted
        self.folder = folder
    }

    /// A condition that is not met yet.
    package struct Missing {
        /// Part of a sentence.
        package let text: String
        /// Whether the server did anything with the request.
        package var isAnswer = false
        /// Whether that will hardly change: status 400 to 499, or the other one of HTTP and HTTPS.
        package var isRefusal = false
        /// Whether the server listens, and not at this port.
        package var isElsewhere = false
    }

    /// The first condition that is not met yet; `nil` if the server is ready.
    package func missing(of conditions: [Readiness]) -> Missing? {
        for condition in conditions {
            switch condition {
            case .tcp(let port):
                if listener(at: port) == nil { return nothingListens(at: port) }
            case .page(let request):
                guard let listener = listener(at: request.port) else {
                    return nothingListens(at: request.port)
                }
                guard let (answer, failure) = failure(of: request, at: listener.own) else { continue }
                if answer.mayBeOfOtherScheme, gives(request.byOtherScheme, at: listener.own) {
                    let advice =
                        request.scheme == .http
                        ? "it speaks TLS there, so ask by HTTPS" : "it speaks no TLS there, so ask by HTTP"
                    return Missing(text: "\(request): \(advice)", isRefusal: true)
                }
                return Missing(
                    text: "\(request): \(failure)", isAnswer: answer.isOfServer, isRefusal: answer.isRefusal)
            case .log(let text):
                if !hasPrinted(text) { return Missing(text: "its output does not contain \"\(text)\"") }
            case .file(let path):
                let absolute = path.hasPrefix("/") ? path : folder + "/" + path
                if unsafe access(absolute, F_OK) != 0 { return Missing(text: "there is no file \(path)") }
            }
        }
        return nil
    }

    /// The answer that says most; `nil` if one of the addresses gives the page: a server that serves one family alone is ready.
    private func failure(
        of request: PageRequest, at addresses: [SocketAddress]
    ) -> (answer: ProbeAnswer.Result, text: String)? {
        var told: (answer: ProbeAnswer.Result, text: String)?
        for address in addresses {
            let answer = HTTPProbe.get(request, at: address, from: nil, within: Self.answerLimit)
            guard let failure = answer.failure else { return nil }
            if told == nil || told?.answer == .refused { told = (answer, failure) }
        }
        return told
    }

    /// Whether there is any answer to a request.
    private func gives(_ request: PageRequest, at addresses: [SocketAddress]) -> Bool {
        addresses.contains { address in
            switch HTTPProbe.get(request, at: address, from: nil, within: Self.answerLimit) {
            case .http, .ledAway: true
            default: false
            }
        }
    }

    private func nothingListens(at port: UInt16) -> Missing {
        let ports = areOwn ? Set(listeners().map(\.address.port)).sorted().prefix(3) : []
        let others = ports.map { "\($0)" }.joined(separator: ", ")
        return Missing(
            text: "nothing listens at tcp \(port)" + (others.isEmpty ? "" : "; it listens at \(others)"),
            isElsewhere: !others.isEmpty)
    }

    private func listener(at port: UInt16) -> ListeningSocket? { listeners().first { $0.address.port == port } }
}

extension PageRequest {
    fileprivate var byOtherScheme: PageRequest { PageRequest(scheme == .http ? .https : .http, port, path: path) }
}

extension ListeningSocket {
    /// The addresses that may reach it from the same machine.
    fileprivate var own: [SocketAddress] {
        let loopback4 = SocketAddress(IPv4Address(127, 0, 0, 1), port: address.port)
        return switch address.host {
        case .ipv4(let host) where host.bits == 0: [loopback4]
        case .ipv6(let host) where host.bits == 0: [loopback4, SocketAddress(IPv6Address(bits: 1), port: address.port)]
        default: [address]
        }
    }
}

extension ProbeAnswer.Result {
    fileprivate var isRefusal: Bool { if case .http(400..<500, _) = self { true } else { false } }

    /// Whether the server took the request: it answered, or closed the connection.
    fileprivate var isOfServer: Bool {
        switch self {
        case .http, .failed: true
        default: false
        }
    }

    /// Whether a server may answer so that expects TLS, or that knows none. Go, nginx and Apache say it with status 400.
    fileprivate var mayBeOfOtherScheme: Bool {
        switch self {
        case .http(400, let body): ["https", "ssl", "tls"].contains(where: body.lowercased().contains)
        case .failed: true
        default: false
        }
    }

    /// Why the server is not ready; `nil` if it is.
    fileprivate var failure: String? {
        switch self {
        case .http(let status, _): status < 400 ? nil : "status \(status)"
        case .ledAway, .connected, .closed, .command: nil
        case .refused: "refused"
        case .timedOut: "no answer"
        case .failed(let reason), .unsent(let reason): reason
        }
    }
}
