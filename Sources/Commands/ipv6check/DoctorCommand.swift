import ArgumentParser
import CheckRunner
import Evidence
import Glibc
import Sandbox

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Say what this machine can and cannot do, and what mends it.")

    func run() throws {
        for fact in Machine.facts(Entry.inheritance) + [.literalSynthesis] { show(fact) }
        fflush(nil)
        do throws(SandboxError) {
            let rehearsal = try Machine.rehearse(Entry.inheritance)
            show(rehearsal.protection)
            let segmentation = rehearsal.hasUDPSegmentation ? "with" : "without"
            print(
                "  ok       \(pad("rehearsal"))  the network was made and ended, \(segmentation) UDP segmentation offload"
            )
            print("ipv6check doctor: this machine can make the network")
        } catch {
            print("  missing  \(pad("rehearsal"))  \(error.reason)")
            if let remedy = error.remedy { print("           \(pad(""))  mend: \(remedy)") }
            throw CheckFailure("this machine cannot make the network: \(error.reason)", .machineCannot)
        }
    }

    private func show(_ fact: MachineFact) {
        print("  \(mark(fact.state))  \(pad(fact.name))  \(fact.detail)")
        if let remedy = fact.remedy { print("           \(pad(""))  mend: \(remedy)") }
    }

    private func mark(_ state: MachineFact.State) -> String {
        switch state {
        case .good: "ok     "
        case .missing: "missing"
        case .note: "note   "
        }
    }

    private func pad(_ text: String) -> String {
        text + String(repeating: " ", count: max(0, 16 - text.count))
    }
}
