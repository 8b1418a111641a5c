// SPDX-License-Identifier: Apache-2.0
import ipv6check
import nat64sim

/// One executable is both programs: most of it is what both need, and so an installation has that once. It acts by the name that
/// it is called by, a link's too; under any other name, and as the processes that it starts of itself, it is `ipv6check`.
@main
enum Program {
    static func main() {
        let path = CommandLine.arguments.first ?? ""
        switch path.split(separator: "/").last {
        case "nat64sim": nat64sim.Entry.main()
        default: ipv6check.Entry.main()
        }
    }
}
