// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import DNS64
import Evidence
import LinuxNet
import Topology
import Translation
import Wire
import World

/// The hermetic servers, for a caller that is not asynchronous: the packet path and the launcher need a main thread that
/// waits for nothing but what they say.
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

    /// A client has come to this place.
    func begin(_ place: ClientSlot, at start: Instant) {
        servers.connections.begin(place, at: start)
        servers.seen.begin(.place(place), at: start)
    }

    /// Answered when who has come to a service is served by it; `nil` where all are served anyway.
    func settling() -> PendingReply<Void>? { servers.settling() }

    /// Waits until the servers have read what the client of this place has sent, which takes no more packets: to the ends of its
    /// connections, if it has ended them all.
    /// - Parameter listeners: asked before. Who is not served in time is not seen.
    func settle(_ place: ClientSlot, after listeners: PendingReply<Void>?) {
        _ = try? listeners?.answer(until: MonotonicClock.now() + Self.startingLimit)
        servers.settle(.place(place), until: MonotonicClock.now() + Self.settlingLimit)
    }

    /// A service may have to be started first, for a client that was quick.
    private static let startingLimit = Duration.seconds(5)
    /// The servers have nothing else to do then.
    private static let settlingLimit = Duration.milliseconds(50)

    /// Who was in these places has gone.
    /// - Returns: what was refused in the first, and what the servers saw of it.
    func end(_ places: [ClientSlot]) -> (refusals: [WorldRefusal], seen: ConnectionLog.Seen) {
        let ended = places.map { (servers.seen.end(.place($0)), servers.connections.end($0)) }
        return (ended[0].1, ended[0].0)
    }

    /// The world's own resolvers tell these records from the next query on.
    func know(_ records: RecordStore) {
        servers.know(records)
    }

    /// Connections that clients have left open are closed; who does not end in that time ends with the process.
    private static let endingLimit = Duration.seconds(10)

    func stop() {
        _ = blocking(within: Self.endingLimit) { [servers] in await servers.stop() }
    }
}
