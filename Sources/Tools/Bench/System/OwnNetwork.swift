// SPDX-License-Identifier: Apache-2.0
import Sandbox

/// The network namespace in which servers and translators are measured: the machine's own has packet filter rules that cost each of them
/// the same, which hides their differences.
enum OwnNetwork {
    /// Moves this process there for good; does so only once.
    static func enter() throws(BenchFailure) { try entry.get() }

    private static let entry: Result<Void, BenchFailure> = {
        do throws(SandboxError) {
            return .success(try WorldNamespace.enter(Entry.inheritance))
        } catch {
            return .failure(BenchFailure("\(error)"))
        }
    }()
}
