// SPDX-License-Identifier: Apache-2.0
import CallTracing
import Evidence
import FoundationEssentials
import LinuxNet
import Sandbox
import Topology
import Wire

/// A client all of whose processes have ended.
struct EndedClient: ~Copyable {
    private let end: ExitOutcome
    /// The signal by which the user cancelled the run; `nil` if it was not cancelled.
    let cancellation: Int32?
    private let connection: any ClientConnection & ~Copyable
    private let observers: ClientObservers
    private let record: RunRecord

    init(
        as end: ExitOutcome, cancelledBy cancellation: Int32?, _ connection: consuming any ClientConnection & ~Copyable,
        _ observers: consuming ClientObservers, _ record: RunRecord
    ) {
        self.end = end
        self.cancellation = cancellation
        self.connection = connection
        self.observers = observers
        self.record = record
    }

    /// Collects the evidence.
    consuming func finish() throws(CheckFailure) -> FinishedRun {
        let (context, request) = (record.context, record.context.request)
        // The collector's thread has its last round while the far side sums up.
        observers.requestFinish()
        let connection = connection
        var evidence = RunEvidence(
            network: request.schedule.network, end: end, duration: record.duration, seen: try connection.end())
        evidence.hostPorts = try context.machinePorts.use()
        evidence.servedPorts = record.listening.filter { !context.machinePorts.serves($0) }
        evidence.timeline = record.timeline
        evidence.endedBeforeLastNetwork = record.endedBeforeLastNetwork
        evidence.counters = record.counters
        evidence.survivors = record.survivors
        evidence.profile = context.preloading.profile
        evidence.urlLoading = context.preloading.urlLoading
        try observers.finish(&evidence, synthesises: context.preloading.synthesises)
        if let unused = context.unusedStreams, let streams = evidence.unconnected?.streams, streams <= unused {
            evidence.unconnected?.streams = 0
        }
        // The next steps have limits of their own.
        context.watch.expectEnd()
        if request.isTraced {
            TracedRun.complete(
                &evidence, by: record.tracer, obstacle: record.tracingObstacle, preloading: context.frames,
                client: request.client)
            evidence.seen.payloads?.begin(at: record.start - record.connected)
            AddressOrigins.complete(&evidence, context.inheritance.environment, prefixes: record.prefixes)
            CommandLines.complete(&evidence)
            IPv4Settings.complete(&evidence)
            IPv4Choices.complete(&evidence)
            if let calls = evidence.calls { evidence.calls?.machinePorts = context.machinePorts.refused(in: calls) }
            GivenInput.complete(&evidence, context.inheritance.environment)
            evidence.namePathsFromWorkingDirectory()
        }
        if let output = request.output {
            evidence.readOutput(
                String(decoding: output.end, as: UTF8.self), from: FileManager.default.currentDirectoryPath)
        }
        return FinishedRun(
            evidence: evidence, links: record.links, prefixes: record.prefixes, notes: context.notes)
    }
}
