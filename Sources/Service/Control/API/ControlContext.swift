// SPDX-License-Identifier: Apache-2.0
import HTTPServing

/// What a request brings beside itself.
struct ControlContext: RoutedContext {
    /// Who sent it.
    let user: UInt32
    var parameters: PathParameters = [:]

    init(user: UInt32) {
        self.user = user
    }
}
