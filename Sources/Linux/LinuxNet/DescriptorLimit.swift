// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// This process's limit of open descriptors.
package enum DescriptorLimit {
    /// The soft limit, RLIMIT_NOFILE.
    package static var current: Int { Int(clamping: limits?.rlim_cur ?? 1024) }

    /// Raises the soft limit to the hard one. For a process that serves many clients and does not use select(2), because of which the
    /// soft limit is low by default. Child processes inherit the change.
    package static func raise() {
        guard var limits, limits.rlim_cur < limits.rlim_max else { return }
        limits.rlim_cur = limits.rlim_max
        // If that is not possible, the limit stays as it was.
        _ = unsafe setrlimit(resource, &limits)
    }

    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

    private static var limits: rlimit? {
        var limits = rlimit()
        return unsafe getrlimit(resource, &limits) == 0 ? limits : nil
    }
}
