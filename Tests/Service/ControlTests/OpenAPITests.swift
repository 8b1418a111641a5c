// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPServing
import HTTPTypes
import Testing
import ConfigurationText
import Text

@testable import Control

/// The document and the server say the same.
@Suite(.timeLimit(.minutes(5))) struct OpenAPITests {
    /// An operation of the document.
    struct Operation: CustomTestStringConvertible, Sendable {
        let method: String
        let path: String
        let statuses: [Int]
        let example: String?

        var testDescription: String { "\(method) \(path)" }
        /// Its target, for the thing of number `id`.
        func target(_ id: Int = 1) -> String { path.replacing("{id}", with: "\(id)") }
    }

    /// The document as JSON, which is faster to read again.
    private static let document: Data = {
        let text = YAMLText(Array(EmbeddedFile.openAPI.utf8), name: "openapi.yaml", of: "an API")
        return (try? text.root()).flatMap { try? JSONSerialization.data(withJSONObject: json($0)) } ?? Data()
    }()

    /// As YAML's core schema has it, as far as the document goes: there are no null, no fractions, and no quoted numbers but
    /// the keys.
    private static func json(_ node: YAMLNode) -> Any {
        switch node.content {
        case .scalar("true"): true
        case .scalar("false"): false
        case .scalar(let text): Int(text) ?? text
        case .list(let items): items.map { json($0) }
        case .map(let entries):
            Dictionary(
                uniqueKeysWithValues: entries.map { entry in
                    guard case .scalar(let key) = entry.key.content else { return ("", json(entry.value)) }
                    return (key, json(entry.value))
                })
        }
    }

    static var schema: Schema {
        Schema(document: (try? JSONSerialization.jsonObject(with: document)) as? [String: Any] ?? [:])
    }

    private static var paths: [String: [String: Any]] { schema.document["paths"] as? [String: [String: Any]] ?? [:] }

    static let operations: [Operation] = {
        paths.flatMap { path, item in
            item.compactMap { method, operation in
                guard let operation = operation as? [String: Any],
                    let responses = operation["responses"] as? [String: Any]
                else { return nil }
                let content = (operation["requestBody"] as? [String: Any])?["content"] as? [String: [String: Any]]
                let example = content?["application/json"]?["example"]
                    .flatMap { try? JSONSerialization.data(withJSONObject: $0) }
                return Operation(
                    method: method.uppercased(), path: path, statuses: responses.keys.compactMap { Int($0) }.sorted(),
                    example: example.map { String(decoding: $0, as: UTF8.self) })
            }
        }.sorted { ($0.path, $0.method) < ($1.path, $1.method) }
    }()

    /// Expects that an answer is one that the document describes for the operation.
    private func expect(_ answer: HTTPAnswer, of operation: Operation, toBe status: Int) throws {
        #expect(answer.status == status, "\(operation.testDescription): \(answer.body)")
        let described = Self.paths[operation.path]?[operation.method.lowercased()] as? [String: Any]
        let response = try #require(
            Self.schema.resolved((described?["responses"] as? [String: Any])?["\(status)"]),
            "\(status) of \(operation.testDescription) is not in the document")
        guard let content = response["content"] as? [String: [String: Any]] else {
            return #expect(answer.body.isEmpty)
        }
        let media = String(answer.fields["content-type"]?.prefix { $0 != ";" } ?? "")
        let entity = try #require(content[media], "\(media) is not in the document")
        if media.hasSuffix("json") {
            #expect(Self.schema.violations(try answer.json(), entity["schema"]) == [])
        }
    }

    @Test func `every route is described and every description served`() {
        let served = ControlAPI(FakeDaemon(), events: EventHub(ownedBy: geteuid())).routes.all.flatMap { route in
            route.methods.map { "\($0.rawValue) \(route.path)" }
        }
        #expect(Set(served) == Set(Self.operations.map(\.testDescription)))
        #expect(Set(served).count == served.count)
        #expect(!served.isEmpty)
    }

    @Test(arguments: operations.filter { $0.path != "/v1/events" })
    func `answers are as the document says`(operation: Operation) async throws {
        try await withAPI { api in
            let fields = operation.example == nil ? [] : ["Content-Type: application/json"]
            let answer = try await api.ask(
                operation.method, operation.target(), fields: fields, body: operation.example)
            let success = try #require(operation.statuses.first)
            try expect(answer, of: operation, toBe: success)
        }
    }

    @Test(arguments: operations.filter { $0.statuses.contains(404) })
    func `unknown things are problems`(operation: Operation) async throws {
        try await withAPI { api in
            for id in ["99", "0", "-1", "x", "18446744073709551616", "%2e%2e"] {
                let target = operation.path.replacing("{id}", with: id)
                try expect(try await api.ask(operation.method, target), of: operation, toBe: 404)
            }
        }
    }

    @Test(arguments: operations.filter { $0.statuses.contains(400) && $0.method == "GET" })
    func `bad parameters are problems`(operation: Operation) async throws {
        try await withAPI { api in
            for limit in ["0", "10001", "-1", "x", "", "99999999999999999999"] {
                let answer = try await api.ask("GET", operation.target() + "?limit=\(limit)")
                try expect(answer, of: operation, toBe: 400)
            }
            try expect(try await api.ask("GET", operation.target() + "?limit=1"), of: operation, toBe: 200)
        }
    }

    @Test(arguments: operations.filter { $0.example != nil })
    func `bad bodies are problems`(operation: Operation) async throws {
        try await withAPI { api in
            let json = ["Content-Type: application/json"]
            for body in [
                "", "{", "[]", "{}", #"{"fault": 1, "pref64": 1}"#, #"{"fault": "x", "pref64": "x"}"#, "\u{0}",
            ] {
                let answer = try await api.ask(operation.method, operation.target(), fields: json, body: body)
                try expect(answer, of: operation, toBe: 400)
            }
            let nested = String(repeating: "[", count: 8000)
            try expect(
                try await api.ask(operation.method, operation.target(), fields: json, body: nested), of: operation,
                toBe: 400)
            let form = ["Content-Type: application/x-www-form-urlencoded"]
            try expect(
                try await api.ask(operation.method, operation.target(), fields: form, body: "a=b"), of: operation,
                toBe: 415
            )
            for length in [5000, 100_000] {
                let long = String(repeating: "x", count: length)
                let body = #"{"fault": "\#(long)", "pref64": "\#(long)", "network": "\#(long)"}"#
                let answer = try await api.ask(operation.method, operation.target(), fields: json, body: body)
                try expect(answer, of: operation, toBe: 413)
            }
        }
    }

    @Test func `what conflicts is a problem`() async throws {
        let operation = try #require(Self.operations.first { $0.testDescription == "PUT /v1/prefix" })
        try await withAPI { api in
            let body = #"{"pref64": "2001:db8:1::/96"}"#
            try expect(try await api.ask("PUT", "/v1/prefix", body: body), of: operation, toBe: 409)
        }
    }

    @Test func `too much is a problem`() async throws {
        let operation = try #require(Self.operations.first { $0.testDescription == "POST /v1/faults" })
        try await withAPI { api in
            let body = #"{"fault": "any any any any drop"}"#
            for _ in 1..<FakeDaemon.faultLimit { _ = try await api.ask("POST", "/v1/faults", body: body) }
            try expect(try await api.ask("POST", "/v1/faults", body: body), of: operation, toBe: 429)
        }
    }

    @Test func `every kind of event is in the document`() throws {
        let schema = Self.schema.resolved(["$ref": "#/components/schemas/Event"])
        for kind in Event.Kind.allCases {
            let event = Event(kind, time: FakeDaemon.start, client: 1, text: "text", details: ["reason": "x"])
            let value = try JSONSerialization.jsonObject(with: Data(try JSONText.encode(event, .line)))
            #expect(Self.schema.violations(value, schema) == [])
        }
    }
}
