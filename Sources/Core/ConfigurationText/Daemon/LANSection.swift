// SPDX-License-Identifier: Apache-2.0
import Evidence
import Text
import Topology
import Wire

/// The `lan` section: a link with devices that are not ours.
///
///     lan: wlan0
///     lan:
///       interface: wlan0
///       network: nat64            # of devices that are not listed
///       ipv6-only-wait: 30m       # or none
///       devices:
///         - { mac: 02:00:5e:10:00:01, name: phone, network: strict, link: "ra,no-pref64", conditions: [3g] }
extension DaemonFileReader {
    /// `nil` if it has no valid interface.
    mutating func readLAN(_ node: YAMLNode) -> LANPlan? {
        guard case .map(let entries) = node.content else { return interface(node).map(LANPlan.init(interface:)) }
        let fields = fields(entries, of: "lan", named: ["interface", "network", "ipv6-only-wait", "devices"])
        guard let interface = fields["interface"] else {
            report("the interface is missing: write interface: eth1", at: node.position)
            return nil
        }
        guard let name = self.interface(interface) else { return nil }
        var plan = LANPlan(interface: name)
        if let node = fields["network"], let network = deviceNetwork(node) { plan.network = network }
        if let node = fields["ipv6-only-wait"] { plan.ipv6OnlyTime = readWait(node) }
        if let node = fields["devices"] {
            for item in items(node) { readDevice(item, into: &plan) }
            if plan.devices.count > LANPlan.deviceLimit {
                report("at most \(LANPlan.deviceLimit) devices can be named", at: node.position)
            }
        }
        return plan
    }

    private mutating func interface(_ node: YAMLNode) -> String? {
        guard case .scalar(let text) = node.content, !text.isEmpty else {
            report("an interface is a name such as eth1, not \(node.kindDescription)", at: node.position)
            return nil
        }
        return text
    }

    private mutating func deviceNetwork(_ node: YAMLNode) -> Network? {
        choice(node, "network", Network.ofDevices.map { ($0.rawValue, $0) })
    }

    private mutating func readWait(_ node: YAMLNode) -> UInt32? {
        guard case .scalar(let text) = node.content else {
            report("ipv6-only-wait is a time such as 30m, or none; not \(node.kindDescription)", at: node.position)
            return nil
        }
        if text == "none" { return nil }
        guard let time = Duration(written: text, in: LANPlan.ipv6OnlyTimes) else {
            report(
                "ipv6-only-wait is a time from 5m to 24h (RFC 8925 §3.4), or none; not \"\(excerpt(text))\"",
                at: node.position)
            return nil
        }
        return UInt32(time.components.seconds)
    }

    private mutating func readDevice(_ node: YAMLNode, into plan: inout LANPlan) {
        guard let entries = map(node, whatItIs: "a device", example: "{ mac: 02:00:5e:10:00:01, name: phone }") else {
            return
        }
        let fields = fields(entries, of: "a device", named: ["mac", "name", "network", "link", "conditions"])
        guard let mac = fields["mac"] else { return report("the device's mac is missing", at: node.position) }
        guard case .scalar(let text) = mac.content, let address = EthernetAddress(text), !address.isGroup else {
            return report("mac is an Ethernet address such as 02:00:5e:10:00:01", at: mac.position)
        }
        if plan.devices[address] != nil { report("\(address) is there already", at: mac.position) }
        var device = DevicePlan()
        if let node = fields["name"] { device.name = self.text(node, "name", example: "phone") }
        if let node = fields["network"] { device.network = deviceNetwork(node) }
        if let node = fields["link"], let setup = linkSetup(node) {
            if setup == .fixed { report("a device's link is ra: nobody else gives it an address", at: node.position) }
            device.wishes.setup = "\(setup)"
        }
        if let node = fields["conditions"] {
            device.wishes.conditions = items(node).compactMap { self.text($0, "conditions", example: "3g") }
        }
        do throws(LinkWishes.Mistake) {
            _ = try LinkPlan().with(device.wishes)
        } catch {
            report("\(error)", at: node.position)
        }
        plan.devices[address] = device
    }
}
