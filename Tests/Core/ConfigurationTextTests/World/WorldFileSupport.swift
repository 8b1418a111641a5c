// SPDX-License-Identifier: Apache-2.0
@testable import ConfigurationText

/// The mistakes of a world file, one line a problem: `w.yaml:4:5: message`; empty if there are none.
func complaints(_ yaml: String) -> [String] {
    complaints(Array(yaml.utf8))
}

func complaints(_ octets: [UInt8]) -> [String] {
    do throws(WorldFileError) {
        _ = try World(yaml: octets, name: "w.yaml")
        return []
    } catch {
        return error.description.split(separator: "\n").map(String.init)
    }
}

func world(_ yaml: String) throws -> World {
    try World(yaml: Array(yaml.utf8), name: "w.yaml")
}
