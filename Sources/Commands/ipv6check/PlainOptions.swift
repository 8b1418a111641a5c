// SPDX-License-Identifier: Apache-2.0
import CheckRunner
import Diagnosis
import Evidence
import Reports
import Router
import Text
import Topology

/// The most frequent options of a check, read without the parser: before it has read a word, it builds the whole help and a mirror of every
/// group of options, which takes a third of the time of a run.
///
/// All other options and all mistakes are left to the parser, which has the messages for them.
struct PlainOptions {
    private var options = CheckOptions()
    /// The names of the options with a value. If one is repeated, the parser decides which counts.
    private var names: [String] = []

    /// The options of the check; `nil` if the parser has to read them. A test ensures that the parser reads these words in the same way.
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
        // The parser takes a value that begins with a dash for another option, and has a message for an empty value.
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
        case "--getaddrinfo": return Self.set(&options.request.getaddrinfo, GetaddrinfoProfile(rawValue: value))
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
