package import ConfigurationText

/// Reads the `nat64` section alone, for a file that has more in it.
package struct GatewaySectionReader {
    private var reader = ConfigurationReader()

    /// - Parameter defaults: what holds where the section says nothing.
    package init(_ defaults: GatewayConfiguration) {
        reader.configuration = defaults
    }

    package mutating func read(_ section: YAMLNode) -> GatewayConfiguration {
        reader.readWhole(section)
        return reader.configuration
    }

    package var problems: [YAMLFileError.Problem] { reader.problems }

    /// The keys that the section has, those of the maps in it included, and where their values stand.
    package var places: [String: SourcePosition] { reader.places }
}
