// SPDX-License-Identifier: Apache-2.0
package import Evidence
import Text

/// `No literal synthesis for /usr/bin/docker: it is a Go program, …`.
package func sentence(_ obstacle: SynthesisObstacle, of program: String) -> String {
    "No literal synthesis for \(printable(program)): \(phrase(obstacle))."
}

/// The same for programs that the client started, one sentence for each obstacle.
func sentences(_ uncovered: [UncoveredProgram]) -> [String] {
    var obstacles: [SynthesisObstacle] = []
    for program in uncovered where !obstacles.contains(program.obstacle) { obstacles.append(program.obstacle) }
    return obstacles.map { obstacle in
        let paths = uncovered.filter { $0.obstacle == obstacle }.map { printable($0.path) }
        let first = "No literal synthesis for \(paths[0]), which the client started: \(phrase(obstacle))."
        return paths.count == 1 ? first : first + " The same goes for \(enumerated(paths.dropFirst(), limit: 3))."
    }
}

/// The obstacle and its consequence.
private func phrase(_ obstacle: SynthesisObstacle) -> String {
    let consequence = "it ran with what it has, as on plain Linux, and may do better on Apple's systems"
    return switch obstacle {
    case .staticallyLinked:
        "it is statically linked, so no library can be put before its getaddrinfo; \(consequence)"
    case .goProgram:
        "it is a Go program, and Go reads literals itself instead of giving them to getaddrinfo, here and on Apple's systems"
    case .otherLoader(let loader):
        "its dynamic loader is \(loader), of a C library that ours is not made for; \(consequence)"
    case .otherMachine:
        "it is made for another machine than ipv6check, and cannot load our library; \(consequence)"
    case .privileged:
        "it runs with another user's rights or with capabilities, and the dynamic loader then ignores LD_PRELOAD; "
            + consequence
    case .unreadable:
        "it cannot be read, so it is unknown whether a library can be preloaded"
    case .unknownFormat:
        "it is neither an ELF executable nor a script, so it is unknown what getaddrinfo it has"
    case .clearedEnvironment:
        "it was started with an environment without our LD_PRELOAD (env -i and sudo do that); \(consequence)"
    }
}
