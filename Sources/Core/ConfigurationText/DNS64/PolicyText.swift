// SPDX-License-Identifier: Apache-2.0
package import DNS64

extension SynthesisPolicy {
    /// Reads the policy for a network of clients, in the terms of a `dns64` section.
    /// - Parameters:
    ///   - octets: text in YAML that is part of a larger file, at the same lines as there.
    ///   - name: the file's name, for error messages.
    package init(yaml octets: [UInt8], name: String) throws(YAMLFileError) {
        self = .plain
        guard let section = try YAMLText(octets, name: name, of: "a network").root() else { return }
        var reader = DNS64SectionReader()
        self = reader.readPolicy(section)
        if !reader.problems.isEmpty { throw YAMLFileError(file: name, problems: reader.problems) }
    }
}
