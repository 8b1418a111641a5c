// SPDX-License-Identifier: Apache-2.0
import HTTPServing

/// The context of a request, beside the request itself.
struct ControlContext: RoutedContext {
    /// The user that sent it.
    let user: UInt32
    var parameters: PathParameters = [:]

    init(user: UInt32) {
        self.user = user
    }
}
