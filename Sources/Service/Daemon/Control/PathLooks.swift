// SPDX-License-Identifier: Apache-2.0
import AttachServer
import LinuxNet
import RouterThread
import Wire

/// What the packet paths of the clients looked like when they answered last.
///
/// All are asked at once, and waited for until one deadline. A path that did not answer is not waited for again, nor asked
/// another question, until it has.
struct PathLooks {
    struct Look {
        fileprivate var question: PendingReply<PathSnapshot>?
        /// `nil` before the first answer.
        fileprivate(set) var last: PathSnapshot?
        fileprivate(set) var isSilent = false
    }

    private(set) var looks: [UInt64: Look] = [:]

    /// How long all of them together may take: what a path that deals with its packets needs is far less.
    private static let timeout = Duration.milliseconds(500)

    mutating func look(at clients: [AttachedClient]) {
        let ids = Set(clients.map(\.id))
        looks = looks.filter { ids.contains($0.key) }
        for client in clients where looks[client.id]?.question == nil {
            looks[client.id, default: Look()].question = client.connection.snapshot()
        }
        let start = MonotonicClock.now()
        for client in clients {
            guard let look = looks[client.id], let question = look.question else { continue }
            do throws(LoopFailure) {
                let snapshot = try question.answer(until: look.isSilent ? start : start + Self.timeout)
                looks[client.id] = Look(
                    question: snapshot == nil ? question : nil, last: snapshot ?? look.last, isSilent: snapshot == nil)
            } catch .notRunning {
                // It has just been cut off.
                looks[client.id] = nil
            } catch {
                // There will be room again in its mailbox.
                looks[client.id] = Look(last: look.last, isSilent: true)
            }
        }
    }
}
