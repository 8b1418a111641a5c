// SPDX-License-Identifier: Apache-2.0
import DNS64
import Evidence
import Foundation
import Router
import Testing
import TestSupport
import Topology

@testable import ConfigurationText

private let world = "world-schema.json"
private let daemon = "daemon-schema.json"

/// The editors' schemas of world files and of the daemon's configuration agree with the readers.
@Suite struct EditorSchemaTests {
    /// The value at a path of a schema, such as `$defs/host`.
    private func part(_ path: String, of file: String) throws -> Any {
        let data = try Data(contentsOf: URL(filePath: "\(projectRoot)docs/\(file)"))
        return try path.split(separator: "/").reduce(try JSONSerialization.jsonObject(with: data)) { node, key in
            if let list = node as? [Any] { return list[try #require(Int(key))] }
            return try #require((node as? [String: Any])?[String(key)], "\(file) has no \(path)")
        }
    }

    private func words(_ path: String, of file: String) throws -> [String] {
        try #require(try part(path, of: file) as? [String])
    }

    /// The keys that a reader knows in some map, as it lists them for an unknown one; the text has one there, `qqqqqqqq`.
    private func keys(_ text: String, of file: String) throws -> [String] {
        let octets = Array("version: 1\n\(text)\n".utf8)
        var problems: [YAMLFileError.Problem] = []
        do throws(YAMLFileError) {
            if file == world {
                _ = try World(yaml: octets, name: "f")
            } else {
                _ = try DaemonConfiguration(yaml: octets, name: "f")
            }
        } catch {
            problems = error.problems
        }
        let list = try #require(
            problems.lazy.compactMap { $0.message.firstMatch(of: /unknown key "qqqqqqqq": .* has (.*)/) }.first)
        return list.1.replacing(" and ", with: ", ").split(separator: ", ").map(String.init).sorted()
    }

    @Test(arguments: [
        (world, "", "qqqqqqqq: 1"),
        (world, "$defs/host", "hosts: { a.test: { qqqqqqqq: 1 } }"),
        (world, "$defs/router/anyOf/1", "hosts: { a.test: { path: [{ qqqqqqqq: 1 }] } }"),
        (world, "$defs/httpSettings", "hosts: { a.test: { services: { http: { qqqqqqqq: 1 } } } }"),
        (world, "$defs/httpsSettings", "hosts: { a.test: { services: { https: { qqqqqqqq: 1 } } } }"),
        (world, "$defs/dotSettings", "hosts: { a.test: { services: { dot: { qqqqqqqq: 1 } } } }"),
        (world, "$defs/reply", "hosts: { a.test: { services: { http: { replies: { /: { qqqqqqqq: 1 } } } } } }"),
        (world, "$defs/program", "hosts: { a.test: { services: { run: { qqqqqqqq: 1 } } } }"),
        (
            world, "$defs/ready",
            "hosts: { a.test: { services: { run: { port: 1, command: [a], lives: run, ready: { qqqqqqqq: 1 } } } } }"
        ),
        (world, "$defs/zone/anyOf/1", "zones: [{ qqqqqqqq: 1 }]"),
        (world, "$defs/dnssec", "dnssec: { qqqqqqqq: 1 }"),
        (world, "$defs/dns64", "dns64: { qqqqqqqq: 1 }"),
        (world, "$defs/clause/anyOf/1", "dns64: { clauses: [{ qqqqqqqq: 1 }] }"),
        (world, "$defs/dns64/properties/limits", "dns64: { limits: { qqqqqqqq: 1 } }"),
        (world, "$defs/dns64/properties/time-outs", "dns64: { time-outs: { qqqqqqqq: 1 } }"),
        (daemon, "", "qqqqqqqq: 1"),
        (daemon, "properties/uplink/anyOf/1", "uplink: { qqqqqqqq: 1 }"),
        (daemon, "properties/clients", "clients: { qqqqqqqq: 1 }"),
        (daemon, "properties/control", "control: { qqqqqqqq: 1 }"),
        (daemon, "properties/log", "log: { qqqqqqqq: 1 }"),
        (daemon, "$defs/nat64", "nat64: { qqqqqqqq: 1 }"),
        (daemon, "$defs/nat64/properties/time-outs", "nat64: { time-outs: { qqqqqqqq: 1 } }"),
        (daemon, "$defs/nat64/properties/limits", "nat64: { limits: { qqqqqqqq: 1 } }"),
        (daemon, "$defs/nat64/properties/errors", "nat64: { errors: { qqqqqqqq: 1 } }"),
        (daemon, "$defs/nat64/properties/faults", "nat64: { faults: { qqqqqqqq: 1 } }"),
        (daemon, "$defs/poolItem/anyOf/1", "nat64: { pool: [{ qqqqqqqq: 1 }] }"),
        (daemon, "$defs/binding", "nat64: { static-bindings: [{ qqqqqqqq: 1 }] }"),
        (
            daemon, "$defs/mapping", "nat64: { mode: stateless, explicit-address-mappings: [{ qqqqqqqq: 1 }] }"
        ),
    ]) func `a map has the same keys in the schema and in the reader`(file: String, path: String, text: String) throws {
        let definition = try #require(try part(path, of: file) as? [String: Any])
        #expect(definition["additionalProperties"] as? Bool == false)
        let properties = try #require(definition["properties"] as? [String: Any])
        #expect(properties.keys.sorted() == (try keys(text, of: file)))
    }

    @Test func `words are the same in the schema and in the reader`() throws {
        let services = "$defs/service/anyOf"
        #expect(try words("\(services)/0/enum", of: world) == ServiceKind.builtIn.map(\.word))
        let map = try #require(try part("\(services)/1/properties", of: world) as? [String: Any])
        #expect(map.keys.sorted() == (ServiceKind.builtIn.map(\.word) + [ServiceKind.programWord]).sorted())
        #expect(
            try words("$defs/dns64/properties/profile/enum", of: world) == Profile.allCases.map(\.rawValue))
        #expect(
            try words("properties/clients/properties/here/enum", of: daemon)
                == Network.allCases.filter(\.entry.hasIPv4Loopback).map(\.rawValue))
        #expect(
            try words("properties/log/properties/level/enum", of: daemon)
                == DaemonConfiguration.Log.Level.allCases.map(\.rawValue))
        #expect(
            try words("properties/uplink/anyOf/1/properties/ignore-aaaa/enum", of: daemon)
                == UplinkConfiguration.IgnoredAAAA.allCases.map(\.rawValue))
        #expect(
            try part("properties/clients/properties/most/maximum", of: daemon) as? Int == ClientSlot.limit)
    }

    @Test func `every file of the project and of its pages is right by its schema`() throws {
        let checked = try runToEnd(["/usr/bin/python3", "\(projectRoot)scripts/lib/yaml_schemas.py"])
        #expect(checked.status == 0, Comment(rawValue: checked.text + checked.standardError))
    }

    /// Wrong for the readers, too: an editor shows it before that.
    @Test(arguments: [
        (world, "hosts: { a.test: { adresses: [198.51.100.1] } }"), (world, "hosts: { a.test: {} }"),
        (world, "hosts: { a.test: { addresses: [a] } }"),
        (world, "hosts: { a.test: { addresses: [198.51.100.1], services: [htp] } }"),
        (world, "hosts: { a.test: { addresses: [198.51.100.1], services: { http: 0 } } }"),
        (world, "hosts: { a.test: { addresses: [198.51.100.1], services: { dot: { replies: {} } } } }"),
        (world, "dns64: { profile: bnd }"), (world, "dns64: { clauses: [\"64:ff9b::/95\"] }"),
        (daemon, "clients: { most: 33 }"), (daemon, "log: { level: loud }"),
        (daemon, "nat64: { filtering: none }"), (daemon, "uplink: { allow: [db] }"),
        (daemon, "dns64: { profile: bnd }"),
    ]) func `a mistake is one for both`(file: String, text: String) throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).yaml").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let octets = Array("version: 1\n\(text)\n".utf8)
        try Data(octets).write(to: URL(filePath: path))
        let checked = try runToEnd(["/usr/bin/python3", "\(projectRoot)scripts/lib/yaml_schemas.py", file, path])
        #expect(checked.status == 1, Comment(rawValue: checked.standardError))
        #expect(throws: YAMLFileError.self) {
            if file == world {
                _ = try World(yaml: octets, name: "f")
            } else {
                _ = try DaemonConfiguration(yaml: octets, name: "f")
            }
        }
    }
}
