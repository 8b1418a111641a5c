// SPDX-License-Identifier: Apache-2.0
import CheckRunner
import Diagnosis
import Evidence
import Reports
import Router
import Text
import Topology

/// The options of a check that are asked for most often, read without the parser: that makes the whole help and a mirror of every group of
/// options before it has read a word, which takes a third as long as the run.
///
/// Everything else, and whatever has a mistake in it, is the parser's, which knows what to say of it.
struct PlainOptions {
    private var options = CheckOptions()
    /// Of those that have a value: which of two counts is the parser's to say.
    private var names: [String] = []

    /// What is asked for; `nil` is the parser's to read. It reads these words as this does, as a test holds.
    static func read(_ words: [String]) -> CheckOptions? {
        var plain = PlainOptions()
        var next = 0
        while next < words.count {
            let word = words[next]
            next += 1
            if let sign = word.utf8.firstIndex(of: UInt8(ascii: "=")) {
                let value = word[word.utf8.index(after: sign)...]
                guard plain.take(String(word[..<sign]), String(value)) else { return nil }
            } else if CheckCommand.optionsTakingValue.contains(word) {
                guard next < words.count, plain.take(word, words[next]) else { return nil }
                next += 1
            } else {
                guard plain.take(flag: word) else { return nil }
            }
        }
        return plain.contradictsItself ? nil : plain.options
    }

    private mutating func take(flag: String) -> Bool {
        switch flag {
        case "-q", "--quiet": return take(.quiet)
        case "-v", "--verbose": return take(.verbose)
        case "--once":
            options.isOnce = true
            return true
        default: return false
        }
    }

    private mutating func take(_ verbosity: Verbosity) -> Bool {
        guard options.verbosity == .normal || options.verbosity == verbosity else { return false }
        options.verbosity = verbosity
        return true
    }

    private mutating func take(_ name: String, _ value: String) -> Bool {
        // It takes what begins with a dash for another option, and has something to say of no value.
        guard !value.isEmpty, value == "-" || !value.hasPrefix("-"), !names.contains(name) else { return false }
        names.append(name)
        switch name {
        case "--simulator": options.simulator = value
        case "--world": options.worldFile = value
        case "--prefix": options.prefix = value
        case "--pcap": options.pcapFile = value
        case "--json": options.jsonFile = value
        case "--html": options.htmlFile = value
        case "--network": return Self.set(&options.schedule, try? NetworkSchedule(value))
        case "--timeout": return Self.set(&options.timeout, Duration(written: value, in: TimeoutOption.range))
        case "--uplink": return Self.set(&options.uplink, value == "host" ? UplinkConfiguration() : nil)
        case "--control": return Self.set(&options.control, ControlPolicy(rawValue: value))
        case "--trace": return Self.set(&options.trace, TracePolicy(rawValue: value))
        case "--getaddrinfo": return Self.set(&options.getaddrinfo, GetaddrinfoProfile(rawValue: value))
        case "--fail-on": return Self.set(&options.failOn, Severity(rawValue: value))
        case "--color": return Self.set(&options.colour, ColourChoice(rawValue: value))
        default: return false
        }
        return true
    }

    private static func set<Value>(_ option: inout Value, _ value: Value?) -> Bool {
        guard let value else { return false }
        option = value
        return true
    }

    private static func set<Value>(_ option: inout Value?, _ value: Value?) -> Bool {
        option = value
        return value != nil
    }

    private var contradictsItself: Bool {
        options.isOnce && options.control == .always || options.jsonFile == "-" && options.htmlFile == "-"
    }
}
