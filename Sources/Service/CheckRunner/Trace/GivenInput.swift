// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import Evidence
import LinuxNet
import Origins
import Sandbox

/// Inputs of a traced client besides those that it used: proxies, and IPv6 addresses that it may have refused.
enum GivenInput {
    /// Maximum number of files that are opened, and of octets of one.
    private static let limits = (files: 64, octets: 64 << 10)

    /// Records the IPv6 addresses that a client was given. Files are read only if the client connected nowhere; otherwise its calls show
    /// its behaviour.
    /// - Parameter environment: the user's.
    static func complete(_ run: inout RunEvidence, _ environment: Environment) {
        guard let calls = run.calls else { return }
        let isSilent = !run.hasSentSomething && !calls.calls.contains(where: \.isAttempt)
        // The client ended because a file did not exist, and no address that it was given had a part in that.
        if isSilent, let last = calls.openedFiles.last, realPath(last.path) == nil { return }
        var given = GivenAddresses()
        // The last program that the client's process executed has the user's arguments in their places.
        let client = calls.programs.last { $0.process == calls.programs[0].process }
        if let client { given.take(argumentsOf: client) }
        for (name, value) in environment.variables { given.take(variable: name, value: value) }
        // An address in a source is not necessarily for this run.
        for file in calls.openedFiles.prefix(isSilent ? limits.files : 0) where Language(file: file.path) == nil {
            guard let octets = try? Descriptor.contents(ofRegularFile: file.path, limit: limits.octets + 1),
                octets.count <= limits.octets, !octets.starts(with: "#!".utf8)
            else { continue }
            given.take(file: octets, path: file.path)
        }
        run.calls?.given = given.all
    }

    /// The proxy settings in environments, each once.
    /// - Parameter environments: in the format of /proc/PID/environ.
    static func proxies(in environments: [[UInt8]]) -> [ProxySetting] {
        var settings: [ProxySetting] = []
        for (name, value) in environments.flatMap({ Environment(block: $0).variables }) {
            guard name.utf8.count < 16, settings.count < limits.files,
                let setting = ProxySetting(variable: name, value: String(decoding: value, as: UTF8.self)),
                !settings.contains(setting)
            else { continue }
            settings.append(setting)
        }
        return settings
    }
}
