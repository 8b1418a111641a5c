// SPDX-License-Identifier: Apache-2.0
import AttachProtocol
import LinuxNet
import Uplink

/// The descriptors that the simulator's process of a daemon cannot open itself.
struct HeldDescriptors: ~Copyable {
    enum Kind: String, Codable, CaseIterable {
        /// The attach socket.
        case clients
        /// The socket of the control API.
        case control
        /// The TUN of the namespace in which the daemon was started, if it is on the network.
        case here
        /// The socket to the daemon's thread that starts the programs of the world, if it has any.
        case programs
        /// The output of the query log, if there is one.
        case queries
        /// The file for the report on a gateway's clients at the end.
        case report
        /// The socket on which devices of a LAN are detected.
        case discovery
        /// A socket for a device of a LAN; there are as many as places.
        case device
    }

    var clients: Descriptor?
    var control: Descriptor?
    var here: Descriptor?
    var programs: Descriptor?
    var queries: Descriptor?
    var report: Descriptor?
    var discovery: Descriptor?
    var slots: [LANLink.Slot] = []

    /// Receives the descriptors that the daemon hands over; `nil` if it ends meanwhile.
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
        case .discovery: discovery = consume file
        case .device: slots.append(LANLink.Slot(DeviceSocket(adopting: file)))
        }
    }
}
