// SPDX-License-Identifier: Apache-2.0
import EvidenceSupport
import Evidence
import Translation
import Wire
import Testing

@testable import Diagnosis

@Suite struct CatalogueTests {
    @Test func `no number is given twice`() {
        let ids = Catalogue.all.map(\.id)
        #expect(Set(ids).count == ids.count)
        #expect(ids.allSatisfy { $0.wholeMatch(of: /V6C-[0-9]{3}/) != nil })
    }

    @Test func `a rule supersedes and follows rules that there are or were, and not itself`() {
        let ids = Set(Catalogue.all.map(\.id))
        for rule in Catalogue.all {
            #expect(rule.supersedes.isSubset(of: ids.subtracting([rule.id])))
            if let was = rule.was { #expect(!ids.contains(was)) }
        }
    }

    @Test func `a rule's page is named after its number`() {
        #expect(Catalogue.all.allSatisfy { $0.page == "docs/rules/\($0.id).md" })
    }

    @Test func `each rule is found whatever stands before it in the catalogue`() {
        let run = here(
            questions: missing("nosuch.test"), flows: [translated(accepted: 0)],
            drops: [Drop(reason: .portsExhausted, count: 1, example: "")])
        let there = Set(Diagnosis(Examination(run: run)).findings.map(\.rule))
        #expect(there == [.noAnswer, .exceedsLimit, .nameHasNoAddress])
        let reversed = Diagnosis(Examination(run: run), rules: Catalogue.all.reversed()).findings
        #expect(Set(reversed.map(\.rule)) == there)
    }

    @Test func `a title is the rest of a sentence, and advice is whole ones`() {
        for rule in Catalogue.all {
            #expect(rule.title.first?.isLowercase == true && rule.title.last != ".")
            #expect(rule.advice.first?.isUppercase == true && rule.advice.last == ".")
        }
    }
}
