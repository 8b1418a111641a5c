// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CheckRunner
import Diagnosis
import Evidence
import Terminal

/// The number of runs of a client, their time limit, and the extent of their tracing.
struct RunOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Run the client on several networks, and print a table: all, or names with commas between them; 'nat64; dual-stack 5s, nat64' where one is a change from network to network.",
            valueName: "list"),
        completion: .list(NetworkList.words), transform: { try NetworkList($0) })
    var networks: NetworkList?

    @Option(
        help: "When to run the client on dual-stack too; on-failure: also if it passes without a host that it looks up."
    )
    var control = ControlPolicy.onFailure

    @Option(help: "When to trace the client's system calls, for the line that fails; on-failure: in the further runs.")
    var trace = TracePolicy.onFailure

    @Flag(help: "Run the client only once, even if it fails, or passes unproven: for one that must not run twice.")
    var once = false

    @Flag(
        help:
            "Say whether the client, which fetches URLs, can be led to private hosts; the first option: see --canaries --help."
    )
    var canaries = false

    @Flag(help: .hidden)
    var alsoLinux = false

    @OptionGroup var time: TimeoutOption

    func validate() throws {
        if once && control == .always {
            throw ValidationError("--once means one run; leave out --control always or --once")
        }
        if canaries {
            throw ValidationError("--canaries comes first: ipv6check --canaries [options] -- COMMAND … '{url}'")
        }
        if alsoLinux {
            throw ValidationError(
                "--also-linux is gone: a run without --getaddrinfo is on a plain Linux host; give --getaddrinfo apple for Apple's"
            )
        }
    }
}
