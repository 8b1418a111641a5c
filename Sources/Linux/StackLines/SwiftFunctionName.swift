// SPDX-License-Identifier: Apache-2.0

/// Shortens a demangled Swift function to the name that its author uses: the function that contains a closure, with labels, without types.
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
            // A function type's arrow contains this character, too.
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

    /// The index after the last ` in ` outside brackets: the part before it is nested in the function.
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

    /// The parenthesis of the parameters, after any generic ones.
    private static func firstParenthesis(in name: ArraySlice<Character>) -> Int? {
        var depth = 0
        for index in name.indices {
            switch name[index] {
            case "<": depth += 1
            case ">": depth -= 1
            // `(extension in Shop):` and `(file)` are not parameters.
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
