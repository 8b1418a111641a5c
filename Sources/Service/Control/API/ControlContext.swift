// SPDX-License-Identifier: Apache-2.0
import Hummingbird

/// What a request brings beside itself.
struct ControlContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Who sent it.
    var user: UInt32 = 0

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
    }
}
