import ConfigurationText
import Topology
import Attaching
import Control
import DNS64
import Evidence
import FoundationEssentials
import LinuxNet
import Logging
import Router
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
    let watch: Watch
    /// Of the thread that accepts clients.
    let signs: Signs
    private let uplink: HostUplink?
    private let log: DaemonLog

    init(
        _ simulator: Simulator, _ registry: Registry, _ log: DaemonLog, uplink: HostUplink?, authority: String?,
        settings: DaemonConfiguration,
        admission: Admission, version: String
    ) throws(DaemonError) {
        self.simulator = simulator
        self.registry = registry
        self.log = log
        self.uplink = uplink
        let signs = Signs()
        self.signs = signs
        watch = try DaemonError.wrapping { () throws(SystemError) in
            try Watch(simulator.dns, registry, signs: signs)
        }
        attach = AttachService(simulator, registry, authority: authority, admission: admission)
        control = DaemonControl(
            simulator: simulator, registry: registry, watch: watch, faultBook: FaultBook(simulator.dns),
            clock: WallClock(),
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
            registry.log.error("reload failed, keeping the current configuration: \(error)")
            return
        }
        if let objection = simulator.objection(to: new.world.dns64) {
            registry.log.error("reload failed, keeping the current configuration: \(objection)")
            return
        }
        log.current = new.log
        if new.world.hosts == control.settings.world.hosts { simulator.change(to: new.world) }
        simulator.change(to: new.world.dns64, for: registry.clients.compactMap { $0.connection as? Connection })
        simulator.change(to: new.gateway.nat64, new.links)
        control.faultBook.replaceAll(by: new.world.dns64.resolver.faults)
        if let allow = new.uplink?.allow { uplink?.allow(allow) }
        for key in new.needingRestart(against: control.settings) {
            registry.log.warning("\(key): restart required")
        }
        registry.tell(.reloaded, "configuration reloaded")
    }
}
