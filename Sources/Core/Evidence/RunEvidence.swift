// SPDX-License-Identifier: Apache-2.0
import Wire

/// The evidence of one run of the client on one network.
package struct RunEvidence: Codable, Hashable, Sendable {
    package var network: Network
    package var end: ExitOutcome
    package var duration: Duration
    /// The networks that the client was on over time; empty if it was on `network` all the time.
    package var timeline: [NetworkChange] = []
    /// Whether the client ended before it came to `network`, the last of several.
    package var endedBeforeLastNetwork = false
    /// The network's observations.
    package var seen: NetworkEvidence
    /// The system whose getaddrinfo the client found.
    package var profile = GetaddrinfoProfile.linux
    /// The system whose URL loading it found.
    package var urlLoading = URLLoading.linux
    package var lookups: [Lookup] = []
    /// Programs that the client started and to which the profile did not apply.
    package var uncovered: [UncoveredProgram] = []
    /// Unix sockets with a path that the client connected to: nothing more is known of them in a run without a trace.
    package var localConnections: [LocalConnection] = []
    /// Whether it asked the C library for the addresses of the machine.
    package var listsAddresses = false
    /// How it used the ports of the machine that it was given.
    package var hostPorts: [HostPortUse] = []
    /// The TCP ports on which it listened when its time was over.
    package var servedPorts: [UInt16] = []
    package var survivors = SurvivingProcesses()
    /// `nil` if the kernel's counters could not be read.
    package var counters: NamespaceCounters?
    /// `nil` if the kernel did not tell.
    package var unconnected: UnconnectedSockets?
    /// The system calls; `nil` if the run was not traced.
    package var calls: CallEvidence?
    /// The errors that it reported in its output, with places of its source; empty for a run whose output is the user's.
    package var printedErrors: [PrintedError] = []
    /// The last lines of that output.
    package var lastLines: [PrintedLine] = []
    /// Facts from the payloads of a traced run.
    package var payloadFacts: [PayloadFact] = []
    /// Octets of payload for which a traced run had no room.
    package var omittedPayload: UInt64 = 0
    /// Whether the client is a listener that a suite's probes connected to: those connections are the harness's, not a peer's.
    package var isProbed = false
    /// The answers to those probes that reached it.
    package var peerAnswers: [PeerAnswer] = []
    /// The paths of requests to the canary on the client's own loopback addresses.
    package var loopbackRequests: [String] = []
    /// The URLs that the client was given to fetch in a world of canaries: one for a canary, or many if it is a server; empty otherwise.
    package var canaries: [CanaryTrial] = []
    /// Observations of the preloaded library that did not fit its bounded log.
    package var lostLookups = 0

    package init(network: Network, end: ExitOutcome, duration: Duration, seen: NetworkEvidence = NetworkEvidence()) {
        self.network = network
        self.end = end
        self.duration = duration
        self.seen = seen
        // The client's link is deleted with its namespace after every run.
        self.seen.deletedLinks.removeAll { $0.time > duration }
    }

    /// Observations that did not fit the bounded logs.
    package var lost: Int { seen.lost.count + lostLookups }

    /// Whether the simulator hindered the client, as no network would: it refused for lack of room, its packet path hung, or a service that
    /// the client used was gone. A client's failure then shows nothing. A full queue of its own link is the client's own doing: it is the
    /// only sender there.
    package var isHindered: Bool { wasRefusedRoom || lackedService || seen.lost.path }

    private var wasRefusedRoom: Bool { seen.refusals.contains { !$0.reason.isOfService } }

    /// Whether a service that the client used was gone.
    package var lackedService: Bool {
        seen.refusals.contains { refusal in
            refusal.reason.isOfService
                && seen.flows.contains { flow in
                    flow.transport == refusal.transport && flow.port == refusal.port
                        && flow.host == refusal.address
                }
        }
    }

    /// Whether the client sent anything that was seen.
    package var hasSentSomething: Bool { !seen.flows.isEmpty || !seen.questions.isEmpty }

    /// Whether a host that the client connected to, or that connected to it by itself, took part.
    package var isAnswered: Bool { seen.flows.contains { $0.isAnswered && !(isProbed && $0.isInbound) } }

    package var names: KnownNames { KnownNames(seen.questions) }

    /// Whether anything changed Linux's handling of literals.
    package var maySynthesise: Bool { profile != .linux || urlLoading != .linux }

    /// The look-ups whose synthesised address the client reached. A literal's counts whatever the DNS answered; a name's does not if a DNS
    /// answer held the same address.
    package var usedSynthesis: [Lookup] {
        let names = names
        return lookups.filter { lookup in
            let synthesised = lookup.synthesised
            return seen.flows.contains { flow in
                guard flow.isReached, case .ipv6(let remote) = flow.remote, synthesised.contains(remote) else {
                    return false
                }
                let port = lookup.service.flatMap { UInt16($0) } ?? flow.port
                return lookup.literal == nil ? names[flow] == nil : port == 0 || port == flow.port
            }
        }
    }
}
