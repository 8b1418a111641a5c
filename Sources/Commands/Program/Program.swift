// SPDX-License-Identifier: Apache-2.0
import ipv6check
import nat64sim

/// One executable is both programs: most code is shared, so an installation has it once. The name by which it is called selects the
/// program, a link's name too; under any other name, and as a process that it starts itself, it is `ipv6check`.
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
