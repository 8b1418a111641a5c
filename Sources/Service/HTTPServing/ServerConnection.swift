// SPDX-License-Identifier: Apache-2.0
package import NIOCore

/// The protocol of the connections that a server accepts.
package protocol ServerConnection: Sendable {
    associatedtype Value: Sendable

    /// Puts the handlers into the pipeline. Called on the channel's event loop.
    func setUp(_ channel: any Channel) -> EventLoopFuture<Value>
    /// Serves the connection until it ends, or the task is cancelled.
    func serve(_ value: Value) async
}
