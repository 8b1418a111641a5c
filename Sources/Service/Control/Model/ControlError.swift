// SPDX-License-Identifier: Apache-2.0
/// The reason why the daemon refuses a request; the text says how to correct it.
package struct ControlError: Error, Hashable, Sendable {
    package enum Kind: Sendable, CaseIterable {
        /// There is no such client, fault or resource.
        case notFound
        /// The request is not valid.
        case invalid
        /// The request is valid, but not now or not in this configuration.
        case conflict
        /// A limit is reached.
        case exhausted
        /// A thread of the daemon does not answer.
        case unavailable
    }

    package var kind: Kind
    package var text: String

    package init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }
}

extension ControlError: CustomStringConvertible {
    package var description: String { text }
}
