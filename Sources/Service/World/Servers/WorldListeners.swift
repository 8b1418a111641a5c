// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import LinuxNet
import Wire

/// The listeners of a world's services, and the programs that listen for themselves.
struct WorldListeners {
    /// Listeners of servers in this process.
    private(set) var services: [ServiceListener] = []
    /// Listeners of programs that are started when a client comes.
    private(set) var programs: [ProgramListener] = []
    /// The programs that listen for themselves.
    private(set) var standing: [StandingProgram] = []
    private(set) var ports: [World.Service: UInt16] = [:]

    private let world: World
    private let authority: CertificateAuthority
    /// The number of each program, as `ProgramHost` counts them.
    let programNumbers: [World.Service: Int]
    /// `nil` is all interfaces.
    private let interfaces: [Int?]

    /// Opens a listener for each service at each of `interfaces`; if the list is empty, one for all interfaces.
    init(_ world: World, _ authority: CertificateAuthority, interfaces: [Int]) throws(ServiceStartError) {
        self.world = world
        self.authority = authority
        let withPrograms = world.services.filter(\.kind.startsPrograms)
        programNumbers = Dictionary(uniqueKeysWithValues: withPrograms.enumerated().map { ($1, $0) })
        self.interfaces = interfaces.isEmpty ? [nil] : interfaces
        for service in world.services { try open(service) }
    }

    private mutating func open(_ service: World.Service) throws(ServiceStartError) {
        do {
            // A port that the kernel chooses has a single listener, for all interfaces.
            for interface in service.port == 0 ? [nil] : interfaces {
                ports[service] = try open(service, ServiceEnd(service, at: interface))
            }
        } catch let error as SystemError {
            throw ServiceStartError(service: service, reason: "\(error.errno)")
        } catch {
            throw ServiceStartError(service: service, reason: "\(error)")
        }
    }

    /// - Returns: the port.
    private mutating func open(_ service: World.Service, _ end: ServiceEnd) throws -> UInt16 {
        guard case .program(let program) = service.kind else { return try openForServer(service, end) }
        switch program.manner {
        case .perConnection(tls: true): return try openForServer(service, end)
        case .perConnection(tls: false), .perSocket:
            let transport: PortProbe.Transport = program.transport == .tcp ? .stream : .datagram
            let listener = try ProgramListener(programNumbers[service]!, end, transport)
            programs.append(listener)
            return listener.localAddress.port
        case .standing(_, let tls):
            try addStanding(program, service, tls: tls)
            return service.port
        }
    }

    private mutating func openForServer(_ service: World.Service, _ end: ServiceEnd) throws -> UInt16 {
        let listener = try ServiceListener(service, end)
        services.append(listener)
        return listener.address.port
    }

    /// Adds the program once, however many interfaces its clients use.
    private mutating func addStanding(_ program: ServedProgram, _ service: World.Service, tls: Bool) throws {
        let number = programNumbers[service]!
        guard !standing.contains(where: { $0.number == number }) else { return }
        let names = ServedNames(service, in: world).hosts.flatMap(\.names)
        standing.append(
            StandingProgram(
                number: number, service: ServiceEnd(service),
                transport: program.transport == .tcp ? .stream : .datagram,
                certificate: tls ? try authority.issuePEM(for: CertificateNames(names: names)) : nil,
                within: program.within))
    }
}
