import Findings
import LinuxNet
import Sandbox
import Simulator
import Translation
import Wire
import World

/// What the options mean, found out before anything is made: a mistake here costs the user nothing but a line.
struct Preparation {
    let program: OSString
    let arguments: [OSString]
    let world: World
    let pref64: Pref64
    let capturePath: String?

    init(_ options: CheckOptions, _ inheritance: Inheritance) throws(CheckFailure) {
        let pref64 = try Self.pref64(options.prefix)
        arguments = options.command.map { OSString($0) }
        program = try Self.program(arguments[0], path: inheritance.environment["PATH"])
        let world = try Self.world(options.worldFile)
        try Self.check(pref64, leavesAlone: world)
        self.pref64 = pref64
        self.world = world
        capturePath = options.pcapFile
    }

    private static func pref64(_ text: String?) throws(CheckFailure) -> Pref64 {
        guard let text else { return .wellKnown }
        do throws(Pref64.Invalid) {
            return try Pref64(text)
        } catch {
            throw CheckFailure("--prefix: \(error)", .usage)
        }
    }

    /// What lies inside the Pref64 is translated, so nothing that is to be reached as it is may lie there.
    private static func check(_ pref64: Pref64, leavesAlone world: World) throws(CheckFailure) {
        if pref64.contains(NetworkPlan.router) {
            throw CheckFailure(
                "--prefix \(pref64) contains the client's own link, \(NetworkPlan.clientLink); give another, such as "
                    + "2001:db8:64::/96", .usage)
        }
        if let host = world.ipv6Addresses.first(where: pref64.contains) {
            throw CheckFailure(
                "--prefix \(pref64) contains \(host), a host of the world; give another prefix, or the host another address",
                .usage)
        }
    }

    private static func program(_ name: OSString, path: OSString?) throws(CheckFailure) -> OSString {
        switch Executable.find(name, path: path) {
        case .success(let program): return program
        case .failure(.EACCES):
            throw CheckFailure("\(name): not executable; if it is a program, try: chmod +x \(name)", .usage)
        case .failure(.ENOENT):
            throw CheckFailure(
                "\(name): not found; give a program of PATH, or a path such as ./\(name)", .usage)
        case .failure(let reason):
            throw CheckFailure("\(name): \(reason)", .usage)
        }
    }

    private static func world(_ path: String?) throws(CheckFailure) -> World {
        guard let path else { return .demo }
        do throws(WorldFileError) {
            return try World(file: path)
        } catch {
            throw CheckFailure("\(error)", .usage)
        }
    }
}
