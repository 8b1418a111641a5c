// SPDX-License-Identifier: Apache-2.0
import Wire

/// What was seen of one run of the client on one network.
package struct RunEvidence: Codable, Hashable, Sendable {
    package var network: Network
    package var end: ExitOutcome
    package var duration: Duration
    /// Where the client was as time went by; empty where it was on `network` all the time.
    package var timeline: [NetworkChange] = []
    /// By the network.
    package var seen: NetworkEvidence
    /// Whose getaddrinfo the client found.
    package var profile = GetaddrinfoProfile.linux
    /// Whose URL loading it found.
    package var urlLoading = URLLoading.linux
    package var lookups: [Lookup] = []
    /// Programs that the client started and that had no part in the profile.
    package var uncovered: [UncoveredProgram] = []
    /// Unix sockets with a path to which it connected: all that is known of them where nothing was traced.
    package var localConnections: [LocalConnection] = []
    /// What it did with the ports of the machine's that it was given.
    package var hostPorts: [HostPortUse] = []
    /// The TCP ports at which it listened when its time was over.
    package var servedPorts: [UInt16] = []
    package var survivors = SurvivingProcesses()
    /// `nil` if the kernel's counters could not be read.
    package var counters: NamespaceCounters?
    /// The system calls; `nil` if the run was not traced.
    package var calls: CallEvidence?
    /// What the payloads of a traced run say.
    package var payloadFacts: [PayloadFact] = []
    /// Octets of payloads that a traced run had no room for.
    package var omittedPayload: UInt64 = 0
    /// Whether the client is a listener that the probes of a suite connected to: connections to it are the harness's, and no peer's.
    package var isProbed = false
    /// The paths of requests that the canary at its own loopback addresses got.
    package var loopbackRequests: [String] = []
    /// What it was given to fetch in a world of canaries: one URL of a canary, or many if it is a server; empty otherwise.
    package var canaries: [CanaryTrial] = []
    /// Observations of the preloaded library that did not fit its bounded log.
    package var lostLookups = 0

    package init(network: Network, end: ExitOutcome, duration: Duration, seen: NetworkEvidence = NetworkEvidence()) {
        self.network = network
        self.end = end
        self.duration = duration
        self.seen = seen
        // The client's link goes with its namespace after every run.
        self.seen.deletedLinks.removeAll { $0.time > duration }
    }

    /// Observations that did not fit the bounded logs.
    package var lost: Int { seen.lost.count + lostLookups }

    /// Whether the simulator stood in the client's way, as no network would: it refused for want of room, or its packet path hung, or a
    /// service to which the client went was gone. A client that fails then has not shown anything. To have its own link's queue full is
    /// its own doing: nobody else sends there.
    package var isHindered: Bool { wasRefusedRoom || lackedService || seen.lost.path }

    private var wasRefusedRoom: Bool { seen.refusals.contains { !$0.reason.isOfService } }

    /// Whether a service to which the client went was gone.
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

    /// Whether a host that the client went to, or that came to it by itself, took part.
    package var isAnswered: Bool { seen.flows.contains { $0.isAnswered && !(isProbed && $0.isInbound) } }

    package var names: KnownNames { KnownNames(seen.questions) }

    /// Whether anything was put before what Linux does with a literal.
    package var maySynthesise: Bool { profile != .linux || urlLoading != .linux }

    /// The look-ups whose synthesised address the client reached. A literal's counts whatever the DNS had told; a name's does not where an
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
