// SPDX-License-Identifier: Apache-2.0
import NAT64
import Translation

extension TranslatorConfiguration {
    /// Reads the text of a configuration file, which is called `name` in errors. Missing keys are as in `TranslatorConfiguration()`.
    package init(yaml octets: [UInt8], name: String) throws(YAMLFileError) {
        let text = YAMLText(octets, name: name, of: DaemonConfiguration.kind)
        var reader = TranslatorFileReader()
        reader.read(try text.root())
        if !reader.problems.isEmpty { throw YAMLFileError(file: name, problems: reader.problems) }
        self = reader.configuration
    }
}

/// Reads the parts of a configuration file that matter to a translator alone: a daemon's file is valid for it, too.
///
///     version: 1
///     prefix: 64:ff9b::/96
///     nat64:                  # `NAT64SectionReader.swift`
private struct TranslatorFileReader: YAMLReader {
    var problems: [YAMLFileError.Problem] = []
    var configuration = TranslatorConfiguration()

    mutating func read(_ root: YAMLNode?) {
        guard
            let fields = versionedFields(
                root, of: "a configuration file", named: DaemonFileReader.sections,
                contents: "nat64 and what is to be changed about it")
        else { return }
        // The daemon's one prefix, for its DNS64 and its NAT64s; the section may have others.
        if let node = fields["prefix"], let prefix = pref64(node) { configuration.nat64.prefixes = [prefix] }
        if let section = fields["nat64"] {
            var reader = NAT64SectionReader(configuration)
            configuration = reader.read(section)
            problems += reader.problems
        }
    }
}
