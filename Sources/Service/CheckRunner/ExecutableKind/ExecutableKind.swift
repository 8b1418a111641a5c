// SPDX-License-Identifier: Apache-2.0
import Executables
import Sandbox
import Text

/// A C library that the preloaded library is built for.
enum CLibrary: Equatable {
    case glibc
    case musl
}

/// The properties of an executable that decide whether a preloaded library can replace its getaddrinfo.
enum ExecutableKind: Equatable {
    /// For this machine, and loaded by glibc's or musl's dynamic loader. `go` is `nil` if Go did not build it; Go programs are dynamic if
    /// they use cgo, for example.
    case dynamic(CLibrary, go: GoBuildInformation?)
    case isStatic(go: GoBuildInformation?)
    /// Loaded by another dynamic loader (its path), for which there is no preloaded library.
    case otherLoader(String)
    /// Built for another architecture, or a 32-bit executable.
    case otherMachine
    /// It can be executed but not read.
    case unreadable
    /// Neither ELF nor a script: a format that was registered with the kernel (binfmt_misc), or none at all.
    case unknown
}

/// The result of inspecting a client: the kind of the program that is executed in the end, after any scripts on the way.
struct ExecutableInspection: Equatable {
    /// The client itself, or, if it is a script, the script's interpreter.
    var program: OSString
    var kind: ExecutableKind
    /// Whether executing it gives privileges that this user does not have.
    var isPrivileged: Bool

    /// The number of TCP sockets of IPv4 that its runtime makes and does not use; `nil` if it makes none.
    var unusedStreams: Int? {
        switch kind {
        // One in each process, to learn whether there is IPv4 (ipsock_posix.go).
        case .dynamic(_, go: _?), .isStatic(go: _?): 1
        // Java makes a few, as its libraries are loaded.
        case .dynamic where baseName("\(program)") == "java": .max
        default: nil
        }
    }
}

extension ExecutableInspection {
    /// Inspects `program` as the kernel would, through as many scripts as it allows.
    /// - Parameter path: the PATH in which `env` looks for programs.
    static func of(_ program: OSString, path: OSString?) -> ExecutableInspection {
        var program = program
        // The program itself and five interpreters, as in Linux (exec_binprm fails with ELOOP at a depth of more than 5).
        for _ in 0..<6 {
            guard let file = FileBytes(path: program) else {
                return ExecutableInspection(program: program, kind: .unreadable, isPrivileged: false)
            }
            guard let next = Script(file)?.interpreter(path: path) else {
                return ExecutableInspection(
                    program: program, kind: ExecutableKind(file), isPrivileged: Executable.givesPrivileges(program))
            }
            program = next
        }
        return ExecutableInspection(program: program, kind: .unknown, isPrivileged: false)
    }
}

extension ExecutableKind {
    init(_ file: borrowing FileBytes) {
        guard let image = ELFProgram(file) else {
            self = .unknown
            return
        }
        guard image.width == .bits64, image.machine == Self.ownMachine else {
            self = .otherMachine
            return
        }
        guard let loader = image.interpreter else {
            self = .isStatic(go: image.go)
            return
        }
        let name = baseName(loader)
        if name.hasPrefix("ld-musl-") {
            self = .dynamic(.musl, go: image.go)
        } else if name.hasPrefix("ld-linux") || name.hasPrefix("ld64.so") {
            self = .dynamic(.glibc, go: image.go)
        } else {
            self = .otherLoader(loader)
        }
    }

    /// `e_machine` of ipv6check's own executable; `nil` if it cannot be read.
    private static let ownMachine: Int? = {
        guard let file = FileBytes(path: "/proc/self/exe") else { return nil }
        return ELFProgram(file)?.machine
    }()
}

extension ELFProgram {
    fileprivate init?(_ file: borrowing FileBytes) {
        self.init { count, offset in file.read(upTo: count, at: UInt64(offset)) }
    }
}
