// SPDX-License-Identifier: Apache-2.0
/// The Pref64 of the networks.
package struct PrefixSetting: Codable, Hashable, Sendable {
    package var pref64: String

    package init(pref64: String) {
        self.pref64 = pref64
    }
}
