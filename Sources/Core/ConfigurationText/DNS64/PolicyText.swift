// SPDX-License-Identifier: Apache-2.0
package import DNS64

extension SynthesisPolicy {
    /// Reads the policy for one network of clients, from YAML with the keys of a `dns64` section that decide on answers. Without clauses
    /// nothing is synthesised.
    /// - Parameters:
    ///   - octets: YAML text that is part of a larger file. Empty lines precede it, so that each line has its number in that file.
    ///   - name: the file's name in error messages.
    package init(yaml octets: [UInt8], name: String) throws(YAMLFileError) {
        self = .plain
        guard let section = try YAMLText(octets, name: name, of: "a network").root() else { return }
        var reader = DNS64SectionReader()
        self = reader.readPolicy(section)
        if !reader.problems.isEmpty { throw YAMLFileError(file: name, problems: reader.problems) }
    }
}
