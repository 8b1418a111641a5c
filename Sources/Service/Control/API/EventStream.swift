// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HTTPServing
import NIOCore

extension Response {
    /// Events as they come, one JSON object a line. The first line is sent at once and shows that the stream is open.
    static func eventStream(_ hub: EventHub, for user: UInt32) throws(ControlError) -> Response {
        let events = try hub.subscribe(user)
        return Response(
            status: .ok, headers: [.contentType: "application/x-ndjson", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                try await writer.write(ByteBuffer(bytes: JSONText.encode(Event.heartbeat(), .line)))
                for await event in events {
                    try await writer.write(ByteBuffer(bytes: JSONText.encode(event, .line)))
                }
            })
    }
}

extension Event {
    static func heartbeat() -> Event { Event(.heartbeat, text: "nothing happened") }
}
