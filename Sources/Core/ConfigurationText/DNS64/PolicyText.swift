// SPDX-License-Identifier: Apache-2.0
package import DNS64

extension SynthesisPolicy {
    /// Reads how a network of clients is served, in the words of a `dns64` section.
    /// - Parameters:
    ///   - octets: text in YAML that stands in a file with more in it, its lines where they stand there.
    ///   - name: what the file is called if something is wrong.
    package init(yaml octets: [UInt8], name: String) throws(YAMLFileError) {
        self = .plain
        guard let section = try YAMLText(octets, name: name, of: "a network").root() else { return }
        var reader = DNS64SectionReader()
        self = reader.readPolicy(section)
        if !reader.problems.isEmpty { throw YAMLFileError(file: name, problems: reader.problems) }
    }
}
