// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import Suites
import Testing

@testable import SuiteRunner

@Suite struct CapturedStreamTests {
    /// The pipe after a stream was written to it in pieces.
    private func kept(_ pieces: [[UInt8]]) throws -> OutputPipe {
        let pipe = try OutputPipe.capturing()
        for piece in pieces {
            try Descriptor.writeAll(piece, to: pipe.writingDescriptor)
            pipe.read()
        }
        pipe.closeWritingEnd()
        pipe.finish()
        #expect(pipe.descriptor == -1)
        return pipe
    }

    @Test func `a short stream is kept whole`() throws {
        let text = try kept([Array("one\n".utf8), Array("two\n".utf8)]).text
        #expect(text.start == "one\ntwo\n" && text.end.isEmpty && text.omitted == 0)
        #expect(try kept([]).text.start.isEmpty)
    }

    @Test func `of a long one the start, the end, and how much is between`() throws {
        let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 32_768)
        let count = 200
        let text = try kept((0..<count).map { _ in piece } + [Array("the end".utf8)]).text
        #expect(text.start.utf8.count == OutputPipe.capturedStart)
        #expect(text.end.hasSuffix("xthe end") && text.end.utf8.count <= 3 * 16_384)
        #expect(text.start.utf8.count + text.omitted + text.end.utf8.count == count * piece.count + 7)
    }
}
