// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// `go test -json`: one event per line (`go doc test2json`), with plain lines between them.
///
///     {"Action":"run","Package":"example.com/shop","Test":"TestLogin"}
///     {"Action":"output","Package":"example.com/shop","Test":"TestLogin","Output":"    shop_test.go:9: refused\n"}
///     {"Action":"fail","Package":"example.com/shop","Test":"TestLogin","Elapsed":0.01}
///     {"Action":"fail","Package":"example.com/shop","Elapsed":0.02}
///
/// A test with subtests (`TestLogin/with_a_key`) is represented by them, and counts as a test itself only if it fails although none of them
/// does.
struct GoTestReader {
    private struct Event: Decodable {
        var action: String
        var package: String?
        var test: String?
        var output: String?
        var elapsed: Double?

        enum CodingKeys: String, CodingKey {
            case action = "Action"
            case package = "Package"
            case test = "Test"
            case output = "Output"
            case elapsed = "Elapsed"
        }
    }

    private struct Key: Hashable {
        var package: String
        /// Empty for the package itself.
        var test: String
    }

    private struct Record {
        /// `nil` while it is running.
        var outcome: InnerTest.Outcome?
        var seconds = 0.0
        var output = ""
    }

    private var records: [Key: Record] = [:]
    /// In order of appearance.
    private var order: [Key] = []

    static func read(_ octets: [UInt8], into collector: inout InnerCollector) {
        var reader = GoTestReader()
        let decoder = JSONDecoder()
        var isOver = false
        forEachLine(of: octets) { line in
            if isOver { return }
            if line.hasPrefix("{"), let event = try? decoder.decode(Event.self, from: Data(line.utf8)) {
                reader.take(event)
                if let part = cachedResult(event) {
                    collector.failAsCached(part, fix: "run go test with -count=1, and leave `caches: keep` out")
                }
            } else if let package = failedPackage(line) {
                reader.note(Key(package: package, test: "")) {
                    $0.outcome = .failed
                    $0.output += line
                }
            }
            // Tests and packages, more than will be collected.
            isOver = reader.order.count > 2 * InnerCollector.testLimit
        }
        reader.finish(into: &collector)
    }

    /// `FAIL\texample.com/shop [build failed]`: older versions of go have no event for packages that were not built.
    private static func failedPackage(_ line: Substring) -> String? {
        let words = line.split(separator: "\t", maxSplits: 1)
        guard words.count == 2, words[0] == "FAIL", words[1].hasSuffix(" failed]") else { return nil }
        return words[1].split(separator: " ").first.map(String.init)
    }

    /// `ok  \texample.com/shop\t(cached)`, possibly with more text after it; `nil` if the package was tested.
    private static func cachedResult(_ event: Event) -> String? {
        guard event.action == "output", event.test == nil, let line = event.output.map({ trimmed($0) }) else {
            return nil
        }
        let words = line.split(separator: "\t")
        guard words.count >= 3, trimmed(words[0]) == "ok", words[2].hasPrefix("(cached)") else { return nil }
        return line
    }

    private mutating func note(_ key: Key, _ change: (inout Record) -> Void) {
        if records[key] == nil { order.append(key) }
        change(&records[key, default: Record()])
    }

    private mutating func take(_ event: Event) {
        guard let package = event.package else { return }
        note(Key(package: package, test: event.test ?? "")) { record in
            switch event.action {
            case "pass", "bench": record.outcome = .passed
            case "fail": record.outcome = .failed
            case "skip": record.outcome = .skipped
            case "output":
                let output = event.output ?? ""
                if !Self.isFrame(output), record.output.utf8.count < InnerCollector.detailLimit {
                    record.output += output
                }
            default: break
            }
            record.seconds = event.elapsed ?? record.seconds
        }
    }

    /// Whether the line repeats the contents of an event.
    private static func isFrame(_ output: String) -> Bool {
        let line = trimmed(output)
        return line.isEmpty || ["=== ", "--- ", "FAIL", "PASS", "ok  \t"].contains { line.hasPrefix($0) }
    }

    private func finish(into collector: inout InnerCollector) {
        // The tests that their subtests represent, and those whose failure these explain.
        var parents: Set<Key> = []
        var explained: Set<Key> = []
        for key in order where !key.test.isEmpty {
            let isFailed = records[key].map { $0.outcome == .failed || $0.outcome == nil } ?? false
            if isFailed { explained.insert(Key(package: key.package, test: "")) }
            var name = key.test[...]
            while let slash = name.lastIndex(of: "/") {
                name = name[..<slash]
                let parent = Key(package: key.package, test: String(name))
                if !parents.insert(parent).inserted && !isFailed { break }
                if isFailed { explained.insert(parent) }
            }
        }
        for key in order {
            guard let record = records[key] else { continue }
            let outcome = record.outcome ?? .failed
            let stands = key.test.isEmpty || parents.contains(key)
            if stands, outcome != .failed || explained.contains(key) { continue }
            // A package without an end was cut off, which its tests show.
            let detail = record.output
            let lines = detail.split(separator: "\n").map { trimmed($0) }
            let message = record.outcome == nil ? "did not end" : lines.first ?? ""
            collector.add(
                InnerTest(
                    group: key.package, name: key.test.isEmpty ? "(package)" : key.test, outcome,
                    seconds: record.seconds, message: message, detail: detail))
        }
    }
}
