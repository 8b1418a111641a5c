// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The elapsed time and other costs of a whole run, compared with the minimum that the kernel needs for one.
struct WallTime {
    let ipv6check: String
    let sticks: Sticks

    /// A run is so short that a round contains several.
    static let runsInARound = 10
    /// Multiple of the least run's time: `ipv6check` before a command should cost almost nothing.
    private static let aim = Aim.atMost(2)
    /// Milliseconds.
    private static let versionAim = Aim.atMost(3)
    /// Megabytes.
    private static let residentAim = Aim.atMost(20)

    func measure(rounds: Int) throws(BenchFailure) -> [Measurement] {
        var costs = Costs()
        var user = User.oneself
        if geteuid() == 0 {
            do throws(BenchFailure) {
                // The least run has no replacement for a TUN, and only root may be allowed to open /dev/net/tun.
                for command in [least, ours] { _ = try UserRun.cost(of: command) }
                user = .another
            } catch {
                user = .none("\(error)")
            }
        }
        // The first run of each command loads its files into memory.
        try take(user, into: &costs)
        costs = Costs()
        for _ in 0..<rounds * Self.runsInARound { try take(user, into: &costs) }
        return Self.measurements(costs, user)
    }

    private var least: [String] { [sticks.run, "true"] }
    private var ours: [String] { [ipv6check, "--once", "--", "true"] }

    private func take(_ user: User, into costs: inout Costs) throws(BenchFailure) {
        costs.bare.append(try RunCost(of: ["true"]))
        costs.unshared.append(try RunCost(of: ["unshare", "-Urn", "true"]))
        costs.least.append(try RunCost(of: least))
        costs.ours.append(try RunCost(of: ours))
        if case .another = user {
            costs.leastOfUser.append(try UserRun.cost(of: least))
            costs.oursOfUser.append(try UserRun.cost(of: ours))
        }
        costs.version.append(try RunCost(of: [ipv6check, "--version"]))
    }

    /// The ordinary user whose runs are measured as well.
    enum User {
        case oneself
        case another
        /// There is none, for the given reason.
        case none(String)
    }

    /// In the order of the turns.
    struct Costs {
        var bare: [RunCost] = []
        var unshared: [RunCost] = []
        var least: [RunCost] = []
        var ours: [RunCost] = []
        var leastOfUser: [RunCost] = []
        var oursOfUser: [RunCost] = []
        var version: [RunCost] = []
    }

    static func measurements(_ costs: Costs, _ user: User) -> [Measurement] {
        func elapsed(_ name: String, _ costs: [RunCost], aim: Aim? = nil) -> Measurement {
            Measurement(.run, name, "ms", costs.map { $0.elapsed * 1e3 }, aim: aim)
        }
        func processor(_ name: String, _ costs: [RunCost]) -> Measurement {
            Measurement(.run, "processor time, \(name)", "ms", costs.map { $0.processor * 1e3 })
        }
        /// The least run and ours, for one user.
        func pair(_ suffix: String, _ least: [RunCost], _ ours: [RunCost]) -> [Measurement] {
            let (leastName, name) = ("LeastRun true" + suffix, "ipv6check -- true" + suffix)
            let time = elapsed(leastName, least)
            let work = processor(leastName, least)
            return [
                time, elapsed(name, ours).compared(with: time, aim: aim), work,
                processor(name, ours).compared(with: work),
            ]
        }
        let ofUser =
            switch user {
            case .oneself: [Measurement]()
            case .another: pair(", ordinary user", costs.leastOfUser, costs.oursOfUser)
            case .none(let reason): [Measurement(.run, "ipv6check -- true, ordinary user", "ms", absence: reason)]
            }
        return [elapsed("true", costs.bare), elapsed("unshare -Urn true", costs.unshared)]
            + pair("", costs.least, costs.ours)
            + ofUser
            + [
                Measurement(
                    .run, "resident, ipv6check -- true", "MB", costs.ours.map { $0.resident / 1e6 }, aim: residentAim),
                elapsed("ipv6check --version", costs.version, aim: versionAim),
                processor("ipv6check --version", costs.version),
            ]
    }
}
