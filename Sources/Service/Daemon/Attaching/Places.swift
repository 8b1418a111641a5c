import Topology
import Simulator
import Synchronization

/// The places that are free. The one that has been free for longest is given next, so that what is still on its way to a
/// client that has gone has time to vanish before another client has its addresses.
final class Places: Sendable {
    private let free: Mutex<[ClientPlace]>

    init(_ count: Int) {
        free = Mutex((0..<count).map { ClientPlace($0) })
    }

    func take() -> ClientPlace? {
        free.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }

    func give(back place: ClientPlace) {
        free.withLock { $0.append(place) }
    }
}
