// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CheckRunner
import Evidence
import Glibc
import Sandbox
import Text

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check that this machine can run ipv6check, and print how to fix what it cannot.")

    func run() throws {
        for fact in Machine.facts(Entry.inheritance) + [.literalSynthesis] { show(fact) }
        fflush(nil)
        do throws(SandboxError) {
            let rehearsal = try Machine.rehearse(Entry.inheritance)
            show(rehearsal.protection)
            let segmentation = rehearsal.hasUDPSegmentation ? "with" : "without"
            print(
                "  ok       \("rehearsal".padded(to: 16))  the network was made and ended, \(segmentation) UDP segmentation offload"
            )
            print("ipv6check doctor: this machine can make the network")
        } catch {
            print("  missing  \("rehearsal".padded(to: 16))  \(error.reason)")
            if let remedy = error.remedy { print("           \("".padded(to: 16))  fix: \(remedy)") }
            throw CheckFailure("this machine cannot make the network: \(error.reason)", .machineCannot)
        }
    }

    private func show(_ fact: MachineFact) {
        print("  \(mark(fact.state))  \(fact.name.padded(to: 16))  \(fact.detail)")
        if let remedy = fact.remedy { print("           \("".padded(to: 16))  fix: \(remedy)") }
    }

    private func mark(_ state: MachineFact.State) -> String {
        switch state {
        case .good: "ok     "
        case .missing: "missing"
        case .note: "note   "
        }
    }
}
