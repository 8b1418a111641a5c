// SPDX-License-Identifier: Apache-2.0
package import ConfigurationText

/// The files of a configuration as they were read, for a process that may open none to read it again.
package final class FileRecord {
    /// In the order in which they were read first.
    package private(set) var files: [(path: String, octets: [UInt8])] = []

    package init() {}

    /// Reads a file, each but once.
    package func read(_ path: String, maximum: Int) throws(YAMLFileError) -> [UInt8] {
        if let file = files.first(where: { $0.path == path }) { return file.octets }
        let octets = try readFile(path, maximum: maximum)
        files.append((path, octets))
        return octets
    }
}
