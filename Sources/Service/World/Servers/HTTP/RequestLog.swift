import Synchronization
public import Wire

/// One HTTP exchange, as the server saw it.
public struct RequestRecord: Hashable, Sendable {
    /// When the request had come in.
    public var time: Instant
    public var service: World.Service
    /// Nil where the connection was gone before it could be told.
    public var peer: IPAddress?
    public var peerPort: UInt16
    public var method: String
    /// The Host header, empty where there was none.
    public var host: String
    /// Path and query as they came.
    public var path: String
    /// Nil where the connection ended before there was an answer.
    public var status: Int?
    /// Octets of the response body that were sent.
    public var bytes: Int
}

/// What clients asked the hermetic HTTP servers for. Any thread may add to it and read it.
///
/// It holds the first `capacity` requests and counts those that follow, so no client can make it grow.
public final class RequestLog: Sendable {
    /// The longest text from a client that is kept of each field, in octets.
    static let longestText = 256

    private let capacity: Int
    private let state = Mutex(State())

    private struct State {
        var records: [RequestRecord] = []
        var missed = 0
    }

    public init(capacity: Int = 10_000) {
        self.capacity = capacity
    }

    /// The requests in the order in which their answers ended.
    public var records: [RequestRecord] { state.withLock(\.records) }
    /// How many more there were than could be kept.
    public var missed: Int { state.withLock(\.missed) }

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
