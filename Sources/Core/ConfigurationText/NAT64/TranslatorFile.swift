// SPDX-License-Identifier: Apache-2.0
import NAT64
import Translation

extension TranslatorConfiguration {
    /// Reads the text of a configuration file, called `name` in errors. Missing keys are as
    /// in `TranslatorConfiguration()`.
    package init(yaml octets: [UInt8], name: String) throws(YAMLFileError) {
        let text = YAMLText(octets, name: name, of: DaemonConfiguration.kind)
        var reader = TranslatorFileReader()
        reader.read(try text.root())
        if !reader.problems.isEmpty { throw YAMLFileError(file: name, problems: reader.problems) }
        self = reader.configuration
    }
}

/// Reads the tree of a configuration file for what a translator alone has of it: a file of the daemon's is right for it, too.
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
        // The daemon's one prefix, of its DNS64 and its NAT64s; the section may name others.
        if let node = fields["prefix"], let prefix = pref64(node) { configuration.nat64.prefixes = [prefix] }
        if let section = fields["nat64"] {
            var reader = NAT64SectionReader(configuration)
            configuration = reader.read(section)
            problems += reader.problems
        }
    }
}
