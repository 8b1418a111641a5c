// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import Topology
import AttachServer
import Control
import DNS64
import Evidence
import FoundationEssentials
import LinuxNet
import Logging
import Router
import Simulator
import Wire
import World

/// The serving parts of a daemon's simulator process.
final class Service: Sendable {
    let simulator: Simulator
    let registry: Registry
    let attach: AttachService
    let control: DaemonControl
    let watch: Watch
    /// The signs of the thread that accepts clients.
    let signs: Signs
    private let log: DaemonLog

    init(
        _ simulator: Simulator, _ plan: ServingPlan, _ registry: Registry, _ log: DaemonLog, authority: String?
    ) throws(DaemonError) {
        self.simulator = simulator
        self.registry = registry
        self.log = log
        let signs = Signs()
        self.signs = signs
        watch = try DaemonError.wrapping { () throws(SystemError) in
            try Watch(simulator.dns, registry, signs: signs)
        }
        attach = AttachService(simulator, registry, authority: authority, admission: plan.admission)
        control = DaemonControl(
            simulator: simulator, registry: registry, watch: watch, faultBook: FaultBook(simulator.dns),
            clock: WallClock(),
            uplink: plan.uplink, settings: plan.configuration, version: plan.version,
            hostAddresses: plan.hostAddresses)
    }

    /// Serves the namespace in which the daemon was started, for as long as the daemon lives.
    /// - Parameters:
    ///   - file: a TUN there.
    ///   - owner: the daemon's process.
    func join(_ file: consuming Descriptor, on network: Network, as owner: UnixPeer) throws(DaemonError) {
        do {
            try attach.keep(try LinkDevice(adopting: file), on: network, for: owner)
        } catch {
            throw DaemonError("clients: here: \(error)")
        }
    }

    /// Applies the configuration that was read again. Settings that can change while clients are attached do; the others wait for
    /// a restart, which the log reports.
    /// - Returns: false if it changes nothing, which is logged, too.
    func reload(_ new: DaemonConfiguration) -> Bool {
        if let objection = simulator.objection(to: new.world.dns64) {
            refuseReload(because: objection)
            return false
        }
        log.current = new.log
        if new.world.hosts == control.settings.world.hosts { simulator.change(to: new.world) }
        let before = simulator.prefixes
        simulator.change(to: new.world.dns64) { registry.clients.compactMap { $0.connection as? Connection } }
        if simulator.prefixes != before { for client in registry.clients { client.tellPrefixes(simulator.prefixes) } }
        simulator.change(to: new.translator.nat64, new.links)
        control.faultBook.replaceAll(by: new.world.dns64.resolver.faults)
        for key in new.needingRestart(against: control.settings) {
            registry.log.warning("\(key): restart required")
        }
        registry.tell(.reloaded, "configuration reloaded")
        return true
    }

    /// Keeps the running configuration: a file with mistakes changes nothing.
    func refuseReload(because reason: String) {
        registry.log.error("reload failed, keeping the current configuration: \(reason)")
    }
}
