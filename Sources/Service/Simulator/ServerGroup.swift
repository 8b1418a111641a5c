// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import DNS64
import Evidence
import LinuxNet
import Topology
import Translation
import Wire
import World

/// The hermetic servers, for a caller that is not asynchronous: the packet path and the launcher need a main thread that waits
/// for their messages only.
struct ServerGroup {
    private let servers: HermeticServers

    init(
        _ world: World, _ start: ServingStart, records: RecordStore, authority: CertificateAuthority,
        programs: ProgramStarter?, interfaces: [Int]
    ) throws(SimulatorError) {
        do throws(ServiceStartError) {
            servers = try HermeticServers.start(
                world, start, records: records, authority: authority, now: { MonotonicClock.now() },
                limit: ServedConnections.limit(descriptors: DescriptorLimit.current), programs: programs,
                interfaces: interfaces)
        } catch {
            throw .servers("\(error)")
        }
    }

    func renewPrograms() throws(SimulatorError) {
        do throws(ServiceStartError) { try servers.renewPrograms() } catch { throw .servers("\(error)") }
    }

    /// Registers a client that has come to this place.
    func begin(_ place: ClientSlot, at start: Instant) {
        servers.connections.begin(place, at: start)
        servers.seen.begin(.place(place), at: start)
    }

    /// Answered when all clients that have connected to a service are served by it; `nil` if all services run already.
    func settling() -> PendingReply<Void>? { servers.settling() }

    /// Waits until the servers have read the data of this place's client, which takes no more packets: to the ends of its
    /// connections, if it has ended them all.
    /// - Parameter listeners: the question of `settling`. A connection that is not served in time is missing from the evidence.
    func settle(_ place: ClientSlot, after listeners: PendingReply<Void>?) {
        _ = try? listeners?.answer(until: MonotonicClock.now() + Self.startingLimit)
        servers.settle(.place(place), until: MonotonicClock.now() + Self.settlingLimit)
    }

    /// Time to start a service first, for a client that ended quickly.
    private static let startingLimit = Duration.seconds(5)
    /// Short, as the servers have nothing else to do then.
    private static let settlingLimit = Duration.milliseconds(50)

    /// Removes the client that was in these places.
    /// - Returns: the refusals in the first place, and the servers' observations of it.
    func end(_ places: [ClientSlot]) -> (refusals: [WorldRefusal], seen: ConnectionLog.Seen) {
        let ended = places.map { (servers.seen.end(.place($0)), servers.connections.end($0)) }
        return (ended[0].1, ended[0].0)
    }

    /// The world's own resolvers answer with these records from the next query on.
    func know(_ records: RecordStore) {
        servers.know(records)
    }

    /// Timeout. Connections that clients have left open are closed; a server that has not ended by then ends with the process.
    private static let endingLimit = Duration.seconds(10)

    func stop() {
        _ = blocking(within: Self.endingLimit) { [servers] in await servers.stop() }
    }
}
