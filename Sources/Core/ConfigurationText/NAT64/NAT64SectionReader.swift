// SPDX-License-Identifier: Apache-2.0
import NAT64
import Translation
import Wire

/// Reads a `nat64` section, of a file for a translator or for the daemon.
///
///     mode: stateful          # `NAT64Section.swift`
///     pool: [192.0.2.64/28]   # and other addresses (`NAT64AddressKeys.swift`)
///     time-outs:              # and other maps (`NAT64Subsections.swift`)
///
/// `docs/nat64-configuration.md` explains every key.
struct NAT64SectionReader: YAMLReader {
    /// A key of a map, and the effect of its value.
    struct Key {
        var name: String
        /// The only mode in which it has a meaning; `nil` for both.
        var mode: TranslatorConfiguration.Mode?
        var read: (inout NAT64SectionReader, YAMLNode) -> Void

        init(
            _ name: String, only mode: TranslatorConfiguration.Mode? = nil,
            read: @escaping (inout NAT64SectionReader, YAMLNode) -> Void
        ) {
            self.name = name
            self.mode = mode
            self.read = read
        }
    }

    var problems: [YAMLFileError.Problem] = []
    var configuration: TranslatorConfiguration
    /// Whether the mode is valid; if it is not, any key may have a meaning.
    var isModeKnown = true
    /// The section's keys, including those of its maps, and the positions of their values.
    var places: [String: SourcePosition] = [:]
    /// The position of each static binding.
    var bindingPlaces: [SourcePosition] = []

    /// - Parameter defaults: the values of missing keys.
    init(_ defaults: TranslatorConfiguration) {
        configuration = defaults
    }

    /// Reads the section; its mistakes are in `problems` afterwards.
    mutating func read(_ section: YAMLNode) -> TranslatorConfiguration {
        readNAT64(section)
        if problems.isEmpty { checkWhole(section.position) }
        return configuration
    }

    /// Reads a map by its keys, in the order of `keys`.
    mutating func section(_ node: YAMLNode, _ owner: String, example: String, _ keys: [Key]) {
        guard let entries = map(node, whatItIs: owner, example: example) else { return }
        let fields = fields(entries, of: owner, named: keys.map(\.name))
        for key in keys {
            guard let value = fields[key.name] else { continue }
            places[key.name] = value.position
            if let mode = key.mode, mode != configuration.mode, isModeKnown {
                let other = mode == .stateful ? "stateful" : "stateless"
                report("\(key.name) has a meaning with mode: \(other) only; leave it out", at: value.position)
            } else {
                key.read(&self, value)
            }
        }
    }

    mutating func set<Value>(_ path: WritableKeyPath<TranslatorConfiguration, Value>, _ value: Value?) {
        if let value { configuration[keyPath: path] = value }
    }
}

extension NAT64SectionReader {
    /// Checks the values together, after each was right by itself.
    private mutating func checkWhole(_ section: SourcePosition) {
        if configuration.mode == .stateless {
            if configuration.nat64.prefixes.count > 1 {
                report("mode: stateless has one prefix at most", at: places["prefixes"] ?? section)
            } else if configuration.nat64.prefixes.isEmpty, configuration.mappings.isEmpty {
                report("there is neither a prefix nor an explicit address mapping", at: places["prefixes"] ?? section)
            }
            return
        }
        do throws(ConfigurationError) {
            _ = try NAT64(configuration.nat64, seed: configuration.seed ?? 0, now: .zero)
        } catch {
            let hint =
                if case .lifetimeTooShort = error { "; allow-short: true beside it permits that" } else { "" }
            report("\(error)\(hint)", at: place(of: error) ?? section)
        }
    }

    private func place(of error: ConfigurationError) -> SourcePosition? {
        switch error {
        case .noPrefix, .tooManyPrefixes, .overlappingPrefixes: places["prefixes"]
        case .emptyPool, .poolTooLarge, .duplicatePoolAddress: places["pool"]
        case .lifetimeTooShort: places["time-outs"]
        case .limitOutOfRange: places["limits"]
        case .staticBindingOutsidePool(let binding), .staticBindingOutsidePorts(let binding, _),
            .staticBindingInsidePref64(let binding),
            .staticBindingOnPortZero(let binding), .conflictingStaticBinding(let binding),
            .staticBindingsExceedLimits(let binding):
            // If two are equal, the later one is the mistake.
            configuration.nat64.staticBindings.lastIndex(of: binding).map { bindingPlaces[$0] }
        }
    }
}
