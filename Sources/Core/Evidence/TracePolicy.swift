// SPDX-License-Identifier: Apache-2.0
/// When the client's system calls are traced.
package enum TracePolicy: String, Sendable, CaseIterable {
    /// The first run and the control run.
    case always
    /// The runs that confirm a failure: the second one, and the control run.
    case onFailure = "on-failure"
    case never
}
