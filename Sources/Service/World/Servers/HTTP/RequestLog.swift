package import ConfigurationText
import Synchronization
package import Wire

/// One HTTP exchange, as the server saw it.
package struct RequestRecord: Hashable, Sendable {
    /// When the request had come in.
    package var time: Instant
    package var service: World.Service
    /// `nil` if the connection was gone before it could be told.
    package var peer: IPAddress?
    package var peerPort: UInt16
    package var method: String
    /// The Host header, empty where there was none.
    package var host: String
    /// Path and query as they came.
    package var path: String
    /// `nil` if the connection ended before there was an answer.
    package var status: Int?
    /// Octets of the response body that were sent.
    package var bytes: Int
}

/// What clients asked the hermetic HTTP servers for. Any thread may add to it and read it.
///
/// It holds the first `capacity` requests and counts those that follow, so no client can make it grow.
package final class RequestLog: Sendable {
    /// The longest text from a client that is kept of each field, in octets.
    static let maximumTextLength = 256

    private let capacity: Int
    private let state = Mutex(State())

    private struct State {
        var records: [RequestRecord] = []
        var missed = 0
    }

    package init(capacity: Int = 10_000) {
        self.capacity = capacity
    }

    /// The requests in the order in which their answers ended.
    package var records: [RequestRecord] { state.withLock(\.records) }
    /// How many more there were than could be kept.
    package var missed: Int { state.withLock(\.missed) }

    func add(_ record: RequestRecord) {
        state.withLock { state in
            if state.records.count < capacity {
                state.records.append(record)
            } else {
                state.missed += 1
            }
        }
    }
}
