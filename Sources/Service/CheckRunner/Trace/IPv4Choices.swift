// SPDX-License-Identifier: Apache-2.0
import Evidence
import LinuxNet
import Origins
import Text

/// Finds the lines of sources that make programs use IPv4 alone where the failing call's own line does not show it: a constant in another
/// module, an option in a variable.
enum IPv4Choices {
    /// Programs that are examined, and source files of one.
    private static let limits = (programs: 64, files: 200)

    /// Records a line only if no other of the program's sources names IPv4 as well.
    static func complete(_ run: inout RunEvidence) {
        guard var calls = run.calls else { return }
        let asking = Set(run.lookups.filter { $0.isIPv4Only && $0.hints != nil }.map(\.process))
        let failing = Set(calls.calls.filter { $0.error == .networkUnreachable }.map(\.program))
        var sources = SourceFiles()
        for (index, program) in calls.programs.enumerated().prefix(limits.programs) {
            let options = program.arguments.dropFirst().filter { isOption($0, of: program) }
            if program.startedAt != nil, !options.isEmpty {
                let scripts = calls.starters(of: index).flatMap { SourceFiles.scripts(of: $0, in: calls) }
                calls.programs[index].choosesIPv4At = sources.search(in: scripts).place(ofWords: options)
            } else if failing.contains(index) || asking.contains(Int(program.process)) {
                calls.programs[index].choosesIPv4At =
                    sources.search(in: files(of: index, in: calls)).place(ofWords: words, without: ofIPv6)
            }
        }
        run.calls = calls
    }

    private static func files(of index: Int, in calls: CallEvidence) -> [String] {
        let executable = calls.programs[index].executable
        if interpreterName(of: baseName(executable)) != nil {
            // Options may stand in data, and Java's sources beside its classes.
            return SourceFiles.scripts(of: index, in: calls) + SourceFiles.sourcesOfClasses(of: index, in: calls)
        }
        let compiled = LinesProcess.sources(of: [executable]).flatMap(\.self)
        return Array(compiled.filter { $0.hasPrefix("/") && !StackFrame(file: $0).isOfLibrary }.prefix(limits.files))
    }

    /// `-4`, `--ipv4`, as of curl, wget and ssh, and `-fsS4` of curl.
    private static func isOption(_ argument: String, of program: TracedProgram) -> Bool {
        ["-4", "--ipv4", "--inet4-only"].contains(argument)
            || baseName(program.executable) == "curl" && argument.last == "4"
                && TracedProgram.isCombinedOption4(argument)
    }

    /// How languages and libraries name IPv4 alone.
    private static let words = [
        "AF_INET", "PF_INET", ":INET", "HAS_IPV6", "CURL_IPRESOLVE_V4", "family: 4", "family:4", "\"family\": 4",
        "family=4", "family = 4", "resolve4", "tcp4", "udp4", "\"ip4\"", "preferIPv4Stack", "Inet4Address", "isIPv4",
        "is_ipv4", "force_ip_resolve", "dnsLookupIpVersion", "gethostbyname", "gethostbyname_ex",
    ]

    /// A line that names both families chooses by the address.
    private static let ofIPv6 = ["AF_INET6", "PF_INET6", ":INET6", "Inet6Address", "isIPv6", "is_ipv6", "tcp6", "udp6"]
}
