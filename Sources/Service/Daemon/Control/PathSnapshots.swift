// SPDX-License-Identifier: Apache-2.0
import AttachServer
import LinuxNet
import RouterThread
import Wire

/// The last known snapshots of the clients' packet paths.
///
/// All paths are asked at once, with one deadline for all answers. A path that has not answered in time is not waited for any more. It is
/// asked again only after its answer has come, or next time if its mailbox was full.
struct PathSnapshots {
    struct Latest {
        /// The question that is not answered yet.
        fileprivate var question: PendingReply<PathSnapshot>?
        /// `nil` before the first answer.
        fileprivate(set) var last: PathSnapshot?
        fileprivate(set) var isSilent = false
    }

    /// By the client's id.
    private(set) var looks: [UInt64: Latest] = [:]

    /// Timeout for all of them together: a path that keeps up with its packets needs far less.
    private static let timeout = Duration.milliseconds(500)

    mutating func look(at clients: [AttachedClient]) {
        let ids = Set(clients.map(\.id))
        looks = looks.filter { ids.contains($0.key) }
        for client in clients where looks[client.id]?.question == nil {
            looks[client.id, default: Latest()].question = client.connection.snapshot()
        }
        let start = MonotonicClock.now()
        for client in clients {
            guard let look = looks[client.id], let question = look.question else { continue }
            do throws(LoopFailure) {
                let snapshot = try question.answer(until: look.isSilent ? start : start + Self.timeout)
                looks[client.id] = Latest(
                    question: snapshot == nil ? question : nil, last: snapshot ?? look.last, isSilent: snapshot == nil)
            } catch .notRunning {
                // The client has just been disconnected, and its path's thread has ended.
                looks[client.id] = nil
            } catch {
                // Its mailbox is full, and will have room again later.
                looks[client.id] = Latest(last: look.last, isSilent: true)
            }
        }
    }
}
