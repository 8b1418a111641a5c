// SPDX-License-Identifier: Apache-2.0
import Topology

extension YAMLReader {
    /// How a client gets its IPv6 address, in the form of `--link`.
    mutating func linkSetup(_ node: YAMLNode) -> LinkSetup? {
        guard case .scalar(let text) = node.content else {
            report("link must be static or ra, not \(node.kindDescription)", at: node.position)
            return nil
        }
        do throws(LinkSetup.Mistake) {
            return try LinkSetup(text)
        } catch {
            report("link: \(error)", at: node.position)
            return nil
        }
    }

    /// The addresses of a client's link, in the form of `--client-prefix`.
    mutating func clientLink(_ node: YAMLNode, _ key: String) -> ClientLink? {
        guard let text = text(node, key, example: "2001:db8:1:2::/64") else { return nil }
        do throws(ClientLink.Mistake) {
            return try ClientLink(text)
        } catch {
            report("\(key): \(error)", at: node.position)
            return nil
        }
    }
}
