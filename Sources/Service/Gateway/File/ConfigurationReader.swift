import NAT64
import Translation
import Wire
import ConfigurationText

/// Reads the tree of a configuration file, and goes on behind a mistake to find the others.
///
///     version: 1
///     nat64:                  # `NAT64Section.swift`
///
/// `docs/nat64-configuration.md` explains every key.
struct ConfigurationReader: YAMLReader {
    /// A key of a map, and what its value does.
    struct Key {
        var name: String
        /// The only mode in which it means something; `nil` for both.
        var mode: GatewayConfiguration.Mode?
        var read: (inout ConfigurationReader, YAMLNode) -> Void

        init(
            _ name: String, only mode: GatewayConfiguration.Mode? = nil,
            read: @escaping (inout ConfigurationReader, YAMLNode) -> Void
        ) {
            self.name = name
            self.mode = mode
            self.read = read
        }
    }

    var problems: [YAMLFileError.Problem] = []
    var configuration = GatewayConfiguration()
    /// If the mode is neither, it is unknown which keys have a meaning with it.
    var isModeKnown = true
    /// Where the values stand that only the whole configuration can be checked with, by their keys.
    var places: [String: SourcePosition] = [:]
    /// Where each static binding stands.
    var bindingPlaces: [SourcePosition] = []

    /// What else stands in such a file, and says nothing about a gateway by itself.
    private static let sectionsOfTheDaemon = ["world", "prefix", "dns64", "uplink", "clients", "control", "log"]

    mutating func read(_ root: YAMLNode?) {
        guard
            let fields = versionedFields(
                root, of: "a configuration file", named: ["nat64"] + Self.sectionsOfTheDaemon,
                contents: "nat64 and what is to be changed about it")
        else { return }
        // The daemon's one prefix, of its DNS64 and its NAT64s; the section may name others.
        if let node = fields["prefix"], let prefix = pref64(node) { configuration.nat64.prefixes = [prefix] }
        if let section = fields["nat64"] { readWhole(section) }
    }

    /// Reads the section, and what can be said of its values together.
    mutating func readWhole(_ section: YAMLNode) {
        readNAT64(section)
        if problems.isEmpty { checkWhole(section.position) }
    }

    /// Reads a map by its keys, in the order in which these are given.
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

    mutating func set<Value>(_ path: WritableKeyPath<GatewayConfiguration, Value>, _ value: Value?) {
        if let value { configuration[keyPath: path] = value }
    }
}

extension ConfigurationReader {
    /// What is wrong with the values together, each being right by itself.
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
            // Of two that are the same, the later one is meant.
            configuration.nat64.staticBindings.lastIndex(of: binding).map { bindingPlaces[$0] }
        }
    }
}
