// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import DNSWire
import Evidence
import Translation
import Wire

struct FindingRecord: Encodable, Sendable {
    let rule: String
    /// The number of the older rule that it replaces; absent if there is none.
    let was: String?
    let severity: String
    let title: String
    /// The page that explains it, in the project's tree.
    let page: String
    /// The first line of the client's source that an observation names; absent if none does.
    let location: LocationRecord?
    /// The origin of the address, from the first observation that knows it.
    let origin: OriginRecord?
    let observations: [ObservationRecord]
    /// Number of further observations; absent if there are none.
    let omittedObservations: Int?
    let advice: String

    init(_ finding: Finding, origins: KnownOrigins, limit: Int) {
        rule = finding.rule.id
        was = finding.rule.was
        severity = finding.severity.rawValue
        title = finding.rule.title
        page = finding.rule.page
        observations = finding.observations.prefix(limit).map { ObservationRecord($0, origins: origins) }
        location = finding.observations.lazy.compactMap { $0.site.flatMap(LocationRecord.init) }.first
        origin = observations.lazy.compactMap(\.origin).first
        let omitted = finding.observations.count - observations.count
        omittedObservations = omitted > 0 ? omitted : nil
        advice = finding.advice
    }
}

/// A line of a client's source.
struct LocationRecord: Encodable, Sendable {
    let file: String
    let line: Int?
    let function: String?

    init?(_ site: CallSite) {
        guard let file = site.file else { return nil }
        self.file = file
        line = site.line
        function = site.function
    }
}

/// An observation: a sentence, and its subject, if that has a name.
struct ObservationRecord: Encodable, Sendable {
    let text: String
    /// The host's name.
    private(set) var name: String?
    /// The far end's address, if the client had no name for it.
    private(set) var address: String?
    private(set) var transport: String?
    private(set) var port: UInt16?
    /// A drop reason.
    private(set) var drop: String?
    /// The place in the client's code: the executable's name, and the object and offset of the call.
    let program: String?
    let module: String?
    let offset: Int?
    /// Present if the line is known.
    let function: String?
    let file: String?
    let line: Int?
    /// The origin of the address.
    let origin: OriginRecord?

    init(_ observation: Observation, origins: KnownOrigins) {
        text = sentence(observation.statement)
        program = observation.site?.program
        module = observation.site?.module
        offset = observation.site?.offset
        function = observation.site?.function
        file = observation.site?.file
        line = observation.site?.line
        origin = (observation.statement.origin ?? origins[observation]?.origin).map(OriginRecord.init)
        switch observation.subject {
        case .name(let name): self.name = name.withoutFinalDot
        case .farEnd(let host, let transport, let port):
            switch host {
            case .name(let name): self.name = name.withoutFinalDot
            case .address(let address): self.address = address.description
            }
            self.transport = transport.rawValue
            self.port = transport == .icmp ? nil : port
        case .drop(let reason): drop = reason.name
        case .itself: break
        }
    }
}
