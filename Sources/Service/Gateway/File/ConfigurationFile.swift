import ConfigurationFiles
import NAT64
import Wire
package import ConfigurationText

extension GatewayConfiguration {
    /// Reads a configuration file. What it does not say is as in `GatewayConfiguration()`.
    package init(file path: String) throws(YAMLFileError) {
        self = try GatewayConfiguration(YAMLText(file: path, of: Self.kind))
    }

    /// Reads the text of a configuration file, which is called `name` where something is wrong with it.
    package init(yaml octets: [UInt8], name: String) throws(YAMLFileError) {
        self = try GatewayConfiguration(YAMLText(octets, name: name, of: Self.kind))
    }

    private static let kind = "a configuration"

    private init(_ text: YAMLText) throws(YAMLFileError) {
        var reader = ConfigurationReader()
        reader.read(try text.root())
        if !reader.problems.isEmpty { throw YAMLFileError(file: text.name, problems: reader.problems) }
        self = reader.configuration
    }
}
