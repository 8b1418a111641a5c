// SPDX-License-Identifier: Apache-2.0
package import ConfigurationText

/// The contents of a configuration's files, so that a process that cannot open files can read the configuration again.
package final class FileRecord {
    /// In the order of their first reading.
    package private(set) var files: [(path: String, octets: [UInt8])] = []

    package init() {}

    /// Reads a file, each path only once.
    package func read(_ path: String, maximum: Int) throws(YAMLFileError) -> [UInt8] {
        if let file = files.first(where: { $0.path == path }) { return file.octets }
        let octets = try readFile(path, maximum: maximum)
        files.append((path, octets))
        return octets
    }
}
