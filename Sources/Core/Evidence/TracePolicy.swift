// SPDX-License-Identifier: Apache-2.0
/// When the client's system calls are traced.
package enum TracePolicy: String, Sendable, CaseIterable {
    /// In the first run, and in the control run.
    case always
    /// In the runs that confirm a failure: the second one, and the control run.
    case onFailure = "on-failure"
    case never
}
