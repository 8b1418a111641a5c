// SPDX-License-Identifier: Apache-2.0
/// What a runner asks of its client's own link and its way to the world, as it was written; the rest is the daemon's to say.
package struct LinkWishes: Codable, Hashable, Sendable {
    /// As `--conditions` takes them.
    package var conditions: [String]
    /// As `--link` takes it; `nil` is as the daemon has it.
    package var setup: String?

    package init(conditions: [String] = [], setup: String? = nil) {
        self.conditions = conditions
        self.setup = setup
    }

    /// Why they cannot be had, in a sentence for whoever wrote them.
    package struct Mistake: Error, Hashable, CustomStringConvertible {
        package let description: String
    }
}

extension LinkPlan {
    /// The same with what one client is to have of its own.
    package func with(_ wishes: LinkWishes) throws(LinkWishes.Mistake) -> LinkPlan {
        LinkPlan(
            clientMTU: clientMTU, worldMTU: worldMTU, faults: faults,
            conditions: wishes.conditions.isEmpty ? conditions : try Self.conditions(wishes.conditions),
            setup: try wishes.setup.map { (text) throws(LinkWishes.Mistake) in try Self.setup(text) } ?? setup,
            client: client, ethernet: ethernet)
    }

    private static func conditions(_ texts: [String]) throws(LinkWishes.Mistake) -> ConditionPlan {
        do throws(ConditionError) {
            return try ConditionPlan(texts)
        } catch {
            throw LinkWishes.Mistake(description: "conditions: \(error)")
        }
    }

    private static func setup(_ text: String) throws(LinkWishes.Mistake) -> LinkSetup {
        do throws(LinkSetup.Mistake) {
            return try LinkSetup(text)
        } catch {
            throw LinkWishes.Mistake(description: "link: \(error)")
        }
    }
}
