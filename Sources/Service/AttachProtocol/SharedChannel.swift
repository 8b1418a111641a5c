// SPDX-License-Identifier: Apache-2.0
/// Either side's end of the way to the other, for all of its threads.
package final class SharedChannel: Sendable {
    package let channel: AttachChannel

    package init(_ channel: consuming AttachChannel) {
        self.channel = channel
    }
}
