// SPDX-License-Identifier: Apache-2.0
package import DNS64
package import Translation

/// A mistake in the value of an option on a command line.
package struct OptionError: Error, Hashable, Sendable, CustomStringConvertible {
    package let option: String
    package let reason: String

    package init(option: String, reason: String) {
        self.option = option
        self.reason = reason
    }

    package var description: String { "\(option): \(reason)" }
}

extension Pref64 {
    /// Reads the value of `--prefix`.
    package init(option text: String) throws(OptionError) {
        do throws(Invalid) {
            self = try Pref64(text)
        } catch {
            throw OptionError(option: "--prefix", reason: "\(error)")
        }
    }
}

extension DNS64Settings {
    /// Applies the options of a command line in addition to the world's file: the value of `--prefix`, those of `--dns-fault`.
    package mutating func apply(prefix: String?, faults: [String]) throws(OptionError) {
        if let prefix { replaceClauses(by: try Pref64(option: prefix)) }
        do throws(FaultError) {
            for fault in faults { resolver.faults.append(try Fault(presentation: fault)) }
        } catch {
            throw OptionError(option: "--dns-fault", reason: "\(error)")
        }
    }
}
