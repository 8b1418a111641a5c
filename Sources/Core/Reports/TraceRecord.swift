// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

/// The tracer's observations in JSON.
struct TraceRecord: Encodable, Sendable {
    let calls: [CallRecord]
    let programs: [ProgramRecord]
    /// Parts of the client that were not traced, a sentence each.
    let gaps: [String]
    /// Reported in the run's `leftOut`.
    let omittedCalls: Int
    let omittedPrograms: Int

    private enum CodingKeys: CodingKey {
        case calls, programs, gaps
    }

    init(_ evidence: CallEvidence, limit: Int) {
        calls = evidence.calls.prefix(limit).map(CallRecord.init)
        programs = evidence.programs.prefix(limit).map(ProgramRecord.init)
        gaps = evidence.gaps
        omittedCalls = evidence.calls.count - calls.count + evidence.lost
        omittedPrograms = evidence.programs.count - programs.count
    }
}

struct ProgramRecord: Encodable, Sendable {
    let process: Int32
    /// Index in the list of its parent, or of the program that the same process ran before; absent for the client itself.
    let parent: Int?
    let executable: String
    let arguments: [String]
    let workingDirectory: String
    /// Seconds since the client began to run.
    let start: Double
    let end: Double?

    init(_ program: TracedProgram) {
        process = program.process
        parent = program.parent
        executable = program.executable
        arguments = program.arguments
        workingDirectory = program.workingDirectory
        start = milliseconds(program.start)
        end = program.end.map(milliseconds)
    }
}

struct CallRecord: Encodable, Sendable {
    let call: String
    /// The text in the terminal report.
    let text: String
    let address: String?
    let port: UInt16?
    /// The value returned by a successful call.
    let result: Int?
    /// `EINVAL`
    let error: String?
    /// Index of the caller in `programs`.
    let program: Int
    /// Seconds since the client began to run.
    let time: Double
    let duration: Double
    let count: Int
    /// Innermost first.
    let frames: [FrameRecord]
    let origin: OriginRecord?

    init(_ call: TracedCall) {
        self.call = call.name.rawValue
        text = phrase(call)
        address = call.address?.ip?.description
        port = call.address?.port
        if case .succeeded(let value) = call.outcome { result = value } else { result = nil }
        error = call.error?.name
        program = call.program
        time = milliseconds(call.time)
        duration = milliseconds(call.duration)
        count = call.count
        frames = call.frames.map(FrameRecord.init)
        origin = call.origin.map(OriginRecord.init)
    }
}

struct FrameRecord: Encodable, Sendable {
    let function: String?
    let file: String?
    let line: Int?
    let module: String?
    let offset: UInt64?
    let buildID: String?

    init(_ frame: StackFrame) {
        function = frame.function
        file = frame.file
        line = frame.line
        module = frame.module
        offset = frame.offset
        buildID = frame.buildID
    }
}

/// An `AddressOrigin` in JSON reports.
struct OriginRecord: Encodable, Sendable {
    /// `argument`, `environment`, `file`, `data`, `answer` or `payload`
    let kind: String
    /// `agent.conf:3`
    let text: String
    private(set) var file: String?
    private(set) var line: Int?
    /// For a payload: its sender, and the address's place in it.
    private(set) var received: ReceivedRecord?
    /// `false` if the match may be chance.
    let certain: Bool

    init(_ origin: AddressOrigin) {
        text = phrase(origin)
        certain = origin.isCertain
        switch origin.place {
        case .argument, .command: kind = "argument"
        case .environment: kind = "environment"
        case .file(let path, let line): (kind, file, self.line) = ("file", path, line)
        case .data(let module): (kind, file) = ("data", module)
        case .answer: kind = "answer"
        case .payload(let place):
            kind = "payload"
            received = ReceivedRecord(place)
        }
    }
}
