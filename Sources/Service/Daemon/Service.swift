import Control
import DNS64
import Evidence
import FoundationEssentials
import Gateway
import LinuxNet
import Logging
import Simulator
import Uplink
import Wire
import World

/// A daemon's parts, while it serves.
final class Service: Sendable {
    let simulator: Simulator
    let registry: Registry
    let attach: AttachService
    let control: DaemonControl
    private let uplink: HostUplink?

    init(
        _ simulator: Simulator, _ registry: Registry, uplink: HostUplink?, authority: String?,
        settings: DaemonConfiguration,
        admission: Admission, version: String
    ) {
        self.simulator = simulator
        self.registry = registry
        self.uplink = uplink
        attach = AttachService(simulator, registry, authority: authority, admission: admission)
        control = DaemonControl(
            simulator: simulator, registry: registry, faultBook: FaultBook(simulator.dns), clock: WallClock(),
            uplink: uplink, settings: settings, version: version)
    }

    /// Serves the namespace in which the daemon was started, for as long as the daemon lives.
    func join(_ tun: consuming TUNDevice, on network: Network) throws(DaemonError) {
        do throws(SimulatorError) {
            try attach.keep(tun, on: network)
        } catch {
            throw DaemonError("clients: here: \(error)")
        }
    }

    /// Reads the configuration again. What can change under clients that are there does; what cannot waits for a restart, and
    /// the log says so. A file with mistakes changes nothing.
    func reload(_ read: () throws -> DaemonConfiguration) {
        let new: DaemonConfiguration
        do {
            new = try read()
        } catch {
            registry.log.error("the configuration stays as it is: \(error)")
            return
        }
        simulator.change(to: new.world.dns64, for: registry.clients.map(\.connection))
        simulator.change(to: new.gateway.nat64, new.links)
        control.faultBook.replaceAll(by: new.world.dns64.resolver.faults)
        if let allow = new.uplink?.allow { uplink?.allow(allow) }
        for key in new.needingRestart(against: control.settings) {
            registry.log.warning("\(key) changes with the next start only")
        }
        registry.tell(.reloaded, "the configuration was read again")
    }
}

extension DaemonConfiguration {
    /// The keys whose new values cannot be had while the daemon runs.
    func needingRestart(against running: DaemonConfiguration) -> [String] {
        var keys: [String] = []
        if world.hosts != running.world.hosts || world.services != running.world.services
            || world.records != running.world.records || world.zones != running.world.zones
        {
            keys.append("world")
        }
        if (uplink == nil) != (running.uplink == nil) || uplink?.ignoredAAAA != running.uplink?.ignoredAAAA {
            keys.append("uplink")
        }
        if clients != running.clients { keys.append("clients") }
        if control != running.control { keys.append("control") }
        if log != running.log { keys.append("log") }
        if links.worldMTU != running.links.worldMTU { keys.append("nat64: ipv4-mtu") }
        return keys
    }
}
