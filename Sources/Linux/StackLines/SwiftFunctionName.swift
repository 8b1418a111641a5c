// SPDX-License-Identifier: Apache-2.0

/// A demangled function of Swift, as its author calls it: the function that a closure stands in, with labels and without types.
enum SwiftFunctionName {
    /// `closure #1 (Swift.Int) -> Swift.Bool in Shop.connect(_: Swift.String, port: Swift.UInt16) throws -> ()` →
    /// `Shop.connect(_:port:)`
    static func plain(_ name: String) -> String {
        let function = Array(name)[start(of: Array(name))...]
        guard let opening = firstParenthesis(in: function) else { return String(function) }
        var labels: [String] = []
        var depth = 1
        var parameter = ""
        for character in function[(opening + 1)...] {
            switch character {
            case "(", "<", "[": depth += 1
            case ")", "]": depth -= 1
            // The arrow of a function's type has one, too.
            case ">" where parameter.last != "-": depth -= 1
            default: break
            }
            if depth == 0 || depth == 1 && character == "," {
                if !parameter.isEmpty { labels.append(label(of: parameter)) }
                parameter = ""
                if depth == 0 { return String(function[..<opening]) + "(" + labels.joined() + ")" }
            } else if !(parameter.isEmpty && character == " ") {
                parameter.append(character)
            }
        }
        return name
    }

    /// Behind the last ` in ` that is in no brackets: what is before it is in the function.
    private static func start(of name: [Character]) -> Int {
        var depth = 0
        var found = 0
        for index in name.indices {
            switch name[index] {
            case "(", "[": depth += 1
            case ")", "]": depth -= 1
            case " " where depth == 0 && name[index...].starts(with: " in "): found = index + 4
            default: break
            }
        }
        return found
    }

    /// That of the parameters: generic ones stand before it.
    private static func firstParenthesis(in name: ArraySlice<Character>) -> Int? {
        var depth = 0
        for index in name.indices {
            switch name[index] {
            case "<": depth += 1
            case ">": depth -= 1
            // `(extension in Shop):` and `(file)` stand for no parameters.
            case "(" where depth == 0 && index > name.startIndex && name[index - 1] != " " && name[index - 1] != ".":
                return index
            default: break
            }
        }
        return nil
    }

    /// `port:` of `port: Swift.UInt16`, `_:` of `Swift.String`
    private static func label(of parameter: String) -> String {
        guard let colon = parameter.firstIndex(of: ":"), !parameter[..<colon].contains(where: { "( <.".contains($0) })
        else {
            return "_:"
        }
        return String(parameter[...colon])
    }
}
