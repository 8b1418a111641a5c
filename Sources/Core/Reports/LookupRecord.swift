// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

/// A `Lookup` in JSON reports.
struct LookupRecord: Encodable, Sendable {
    struct Hints: Encodable, Sendable {
        let family: Int
        let socktype: Int
        let `protocol`: Int
        let flags: Int
        /// The hints that are set, by name.
        let names: [String]
    }

    let call: String
    let node: String?
    let service: String?
    let hints: Hints?
    let result: Int
    let answers: [String]
    /// The addresses in `answers` that were synthesised.
    let synthesised: [String]
    let outcome: String?
    let program: String?
    let module: String?
    let offset: Int?
    /// Present if the line is known.
    let function: String?
    let file: String?
    let line: Int?
    /// The origin of the literal.
    let origin: OriginRecord?
    let process: Int
    let count: Int

    init(_ lookup: Lookup) {
        call = lookup.call.rawValue
        node = lookup.node
        service = lookup.service
        hints = lookup.hints.map {
            Hints(
                family: $0.family, socktype: $0.socktype, protocol: $0.protocol, flags: $0.flags, names: $0.names)
        }
        result = lookup.result
        answers = lookup.answers.map(\.description)
        synthesised = lookup.synthesised.map(\.description)
        outcome = lookup.outcome?.rawValue
        program = lookup.site.program
        module = lookup.site.module
        offset = lookup.site.offset
        function = lookup.site.function
        file = lookup.site.file
        line = lookup.site.line
        origin = lookup.origin.map(OriginRecord.init)
        process = lookup.process
        count = lookup.count
    }
}

/// An `UncoveredProgram` in JSON reports.
struct UncoveredRecord: Encodable, Sendable {
    let program: String
    let obstacle: String

    init(_ program: UncoveredProgram) {
        self.program = program.path
        obstacle = program.obstacle.name
    }
}
