// SPDX-License-Identifier: Apache-2.0
import CallTracing
import Evidence
import LinuxNet
import Topology
import Wire

/// The facts about a client that are known before its network and its observers have been asked.
struct RunRecord {
    /// When it began, and when it was connected before.
    let start: Instant
    let connected: Instant
    let links: LinkConditions
    /// The Pref64s that it last had, in presentation format.
    var prefixes: [String]
    let tracer: Tracer?
    var context: RunContext
    var duration = Duration.zero
    var timeline: [NetworkChange] = []
    var endedBeforeLastNetwork = false
    /// The ports on which it listened when its time was over.
    var listening: [UInt16] = []
    var survivors = SurvivingProcesses()
    var counters: NamespaceCounters?
    /// Why it could not be traced although it was to be.
    var tracingObstacle: Errno?

    init(start: Instant, connected: Instant, place: ReservedSlot, tracer: Tracer?, context: RunContext) {
        self.start = start
        self.connected = connected
        links = place.links
        prefixes = place.prefixes
        self.tracer = tracer
        self.context = context
    }
}
