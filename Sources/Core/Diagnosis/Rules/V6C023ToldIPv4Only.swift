// SPDX-License-Identifier: Apache-2.0
import Evidence
import Text

extension Rule {
    /// The program would do better without the option.
    package static let toldIPv4Only = Rule(
        id: "V6C-023", title: "is told to use IPv4 only",
        advice: "Leave the option out.",
        adviceByLanguage: [
            .java: "Leave -Djava.net.preferIPv4Stack=true out, and start it with -Djava.net.preferIPv6Addresses=system."
        ],
        fittingAdvice: { _, observations in Tool.adviceOnIPv4(for: observations) },
        networks: .ipv6Only, supersedes: ["V6C-002", "V6C-003", "V6C-016", "V6C-019", "V6C-037"]
    ) { examination in
        guard examination.gotThroughOnDualStack else { return [] }
        let evidence = examination.traced
        let name = baseName(examination.command.first ?? "")
        let client = (name, examination.command, "" as Statement, CallSite(program: name))
        let programs = evidence.programs.map {
            (
                baseName($0.executable), $0.arguments, evidence.start(of: $0) + evidence.starter(of: $0),
                evidence.site(of: $0)
            )
        }
        var told: Set<[String]> = []
        let configured = evidence.programs.compactMap { program -> Observation? in
            guard let place = program.keptToIPv4At else { return nil }
            let name = baseName(program.executable)
            let site = CallSite(program: name, file: place.file, line: place.line)
            return Observation(
                "\(text: name)\(evidence.start(of: program))\(evidence.starter(of: program)) read so in "
                    + "\(CallSite(file: place.file, line: place.line)).", at: site)
        }
        // The client itself is in the list twice, by two of its names.
        return configured
            + ([client] + programs).compactMap { program, arguments, starter, site in
                guard let option = arguments.dropFirst().first(where: { forcesIPv4($0, program) }),
                    told.insert([Tool.name(of: program), option]).inserted
                else { return nil }
                return Observation(
                    "\(text: program)\(starter) was started with \(text: option).", at: site)
            }
    }
}

private func forcesIPv4(_ argument: String, _ program: String) -> Bool {
    switch Tool.name(of: program) {
    case "java": return argument == "-Djava.net.preferIPv4Stack=true"
    case "curl", "wget":
        return ["-4", "--ipv4", "--inet4-only"].contains(argument) || TracedProgram.isCombinedOption4(argument)
    case "aria2c": return ["--disable-ipv6", "--disable-ipv6=true"].contains(argument)
    case "socat": return argument.hasPrefix("TCP4:") || argument.hasPrefix("UDP4:") || argument == "-4"
    case let tool: return Tool.withOption4.contains(tool) && ["-4", "--ipv4"].contains(argument)
    }
}
