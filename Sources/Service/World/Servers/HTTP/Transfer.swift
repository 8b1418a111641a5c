// SPDX-License-Identifier: Apache-2.0
import Text
import HTTPTypes
import HTTPServing
import NIOCore

// Resources that transfer any number of octets, and hold only a few at a time.

/// The content of `/bytes/N`: the octet at offset i is i mod 251, so in Python it is
/// `(bytes(range(251)) * (N // 251 + 1))[:N]`. The period is a prime, so that a lost, doubled or swapped block of a round size
/// is noticed.
enum BytePattern {
    static let period = 251
    static let maximumLength = 1 << 40

    /// The periods of one write, shared by all responses.
    static let chunk: ByteBuffer = {
        let periods = 4096
        let onePeriod = Array(0..<UInt8(period))
        var chunk = ByteBufferAllocator().buffer(capacity: periods * period)
        for _ in 0..<periods { chunk.writeBytes(onePeriod) }
        return chunk
    }()
}

/// `/bytes/N`
@Sendable func sendBytes(_ request: Request, _ context: RequestContext) -> Response {
    guard let count = context.parameters["count"].flatMap(decimalNumber), count <= BytePattern.maximumLength else {
        return .badRequest("/bytes/N takes a number of octets from 0 to \(BytePattern.maximumLength)")
    }
    let body = ResponseBody(length: count) { writer in
        var rest = count
        while rest > 0 {
            let chunk = BytePattern.chunk
            let part = chunk.getSlice(at: chunk.readerIndex, length: min(rest, chunk.readableBytes)) ?? chunk
            try await writer.write(part)
            try await context.keepPace()
            rest -= part.readableBytes
        }
    }
    return Response(status: .ok, headers: [.contentType: "application/octet-stream"], body: body)
}

/// `/echo`: the answer begins after the request's head, and follows its body. No body is stored, so a client that sends
/// everything before it reads can send only as much as fits into the buffers on the path (`TCPLimits.pendingWrites`).
@Sendable func echo(_ request: Request, _ context: RequestContext) -> Response {
    // Without Content-Length, the version decides if there is a body (RFC 9112 §6.3, RFC 9113 §8.1.1). It is not known here.
    let body = ResponseBody(length: request.headers[.contentLength].flatMap(decimalNumber)) { writer in
        for try await part in request.body { try await writer.write(part) }
    }
    let type = request.headers[.contentType] ?? "application/octet-stream"
    return Response(status: .ok, headers: [.contentType: type], body: body)
}

/// `/stream/N`: N lines of JSON, each sent separately.
@Sendable func stream(_ request: Request, _ context: RequestContext) -> Response {
    let maximum = 1000
    guard let count = context.parameters["count"].flatMap(decimalNumber), count <= maximum else {
        return .badRequest("/stream/N takes a number of lines from 0 to \(maximum)")
    }
    let body = ResponseBody { writer in
        for line in 0..<count {
            try await writer.write(ByteBuffer(string: "{\"id\": \(line)}\n"))
            try await context.keepPace()
        }
    }
    return Response(status: .ok, headers: [.contentType: "application/json"], body: body)
}

/// `/gzip`: text in gzip's format, not compressed (RFC 1952, with stored blocks of RFC 1951 §3.2.4).
@Sendable func sendGzip(_ request: Request, _ context: RequestContext) -> Response {
    let text = Array("{\"gzipped\": true}\n".utf8)
    var body = ByteBuffer(bytes: [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
    body.writeInteger(UInt8(1))
    body.writeInteger(UInt16(text.count), endianness: .little)
    body.writeInteger(~UInt16(text.count), endianness: .little)
    body.writeBytes(text)
    body.writeInteger(checksum(text), endianness: .little)
    body.writeInteger(UInt32(text.count), endianness: .little)
    return Response(
        status: .ok, headers: [.contentType: "application/json", .contentEncoding: "gzip"],
        body: ResponseBody(body))
}

/// CRC-32 (RFC 1952 §8).
private func checksum(_ octets: [UInt8]) -> UInt32 {
    var sum = UInt32.max
    for octet in octets {
        sum ^= UInt32(octet)
        for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xedb8_8320 : sum >> 1 }
    }
    return ~sum
}
