import Testing

@testable import Diagnosis

@Suite struct CatalogueTests {
    @Test func `no number is given twice`() {
        let ids = Catalogue.all.map(\.id)
        #expect(Set(ids).count == ids.count)
        #expect(ids.allSatisfy { $0.wholeMatch(of: /V6C-[0-9]{3}/) != nil })
    }

    @Test func `a rule that makes another superfluous is there, and is looked at before`() {
        for (place, rule) in Catalogue.all.enumerated() {
            guard let other = rule.supersededBy else { continue }
            #expect(Catalogue.all[..<place].contains { $0.id == other })
        }
    }

    @Test func `a title is the rest of a sentence, and advice is whole ones`() {
        for rule in Catalogue.all {
            #expect(rule.title.first?.isLowercase == true && rule.title.last != ".")
            #expect(rule.advice.first?.isUppercase == true && rule.advice.last == ".")
        }
    }
}
