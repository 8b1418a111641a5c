// SPDX-License-Identifier: Apache-2.0
import AttachProtocol
import LinuxNet
import Uplink

/// What the simulator's process of a daemon cannot open itself.
struct HeldDescriptors: ~Copyable {
    enum Kind: String, Codable, CaseIterable {
        /// The attach socket.
        case clients
        /// The control API's.
        case control
        /// The TUN of the namespace in which the daemon was started, if it is on the network.
        case here
        /// The way to who starts the programs of the world, if it has any.
        case programs
        /// Where the log of the queries goes, if anywhere.
        case queries
        /// Where a gateway's clients go at the end.
        case report
        /// By which devices of a LAN show that they are there.
        case door
        /// For a device of a LAN; as many as there are places.
        case device
    }

    var clients: Descriptor?
    var control: Descriptor?
    var here: Descriptor?
    var programs: Descriptor?
    var queries: Descriptor?
    var report: Descriptor?
    var door: Descriptor?
    var slots: [LANLink.Slot] = []

    /// Takes what the daemon hands over; `nil` if it ends meanwhile.
    init?(from channel: borrowing AttachChannel) {
        while true {
            switch channel.receive(ServingOrder.self, until: nil) {
            case .message(.hold(let kind), let file?): keep(file, as: kind)
            case .message(.begin, _): return
            default: return nil
            }
        }
    }

    private mutating func keep(_ file: consuming Descriptor, as kind: Kind) {
        switch kind {
        case .clients: clients = consume file
        case .control: control = consume file
        case .here: here = consume file
        case .programs: programs = consume file
        case .queries: queries = consume file
        case .report: report = consume file
        case .door: door = consume file
        case .device: slots.append(LANLink.Slot(DeviceSocket(adopting: file)))
        }
    }
}
