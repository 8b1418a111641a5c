// SPDX-License-Identifier: Apache-2.0
/// One end of a channel, shared by all threads of its side.
package final class SharedChannel: Sendable {
    package let channel: AttachChannel

    package init(_ channel: consuming AttachChannel) {
        self.channel = channel
    }
}
