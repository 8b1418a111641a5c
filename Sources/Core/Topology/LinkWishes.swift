// SPDX-License-Identifier: Apache-2.0
/// A runner's requests for its client's own link and path to the world, as written; the daemon decides the rest.
package struct LinkWishes: Codable, Hashable, Sendable {
    /// In the syntax of `--conditions`.
    package var conditions: [String]
    /// In the syntax of `--link`; `nil` is the daemon's default.
    package var setup: String?

    package init(conditions: [String] = [], setup: String? = nil) {
        self.conditions = conditions
        self.setup = setup
    }

    /// Why a request cannot be met, in a sentence for its author.
    package struct Mistake: Error, Hashable, CustomStringConvertible {
        package let description: String
    }
}

extension LinkPlan {
    /// The same plan with one client's own settings.
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
