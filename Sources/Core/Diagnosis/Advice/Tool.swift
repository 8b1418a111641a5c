// SPDX-License-Identifier: Apache-2.0
import Evidence
import Text

/// Advice for users of common tools, which they do not change but call otherwise.
enum Tool {
    /// The setting that keeps the tool to IPv4, and how to leave it; `nil` for other programs.
    static func adviceOnIPv4(at site: CallSite?) -> String? {
        guard let program = site?.program else { return nil }
        let name = name(of: program)
        if let advice = adviceOnIPv4[name] { return advice }
        return withOption4.contains(name) ? "Leave -4 out: \(name) then takes the family of the address." : nil
    }

    /// The first such advice for the places of observations.
    static func adviceOnIPv4(for observations: [Observation]) -> String? {
        observations.lazy.compactMap { adviceOnIPv4(at: $0.site) }.first
    }

    /// A tool's name without that of Debian's alternative (nc.openbsd), and of a package (inetutils-telnet).
    static func name(of program: String) -> String {
        let name = baseName(program).prefix { $0 != "." }
        return String(name.hasPrefix("inetutils-") ? name.dropFirst(10) : name)
    }

    /// The name of the installed tool that made a call, if it is no interpreter of the user's program.
    static func name(of call: TracedCall, in evidence: CallEvidence) -> String? {
        guard call.frames.own?.line == nil, let program = evidence.program(of: call),
            ["/usr/", "/bin/", "/sbin/"].contains(where: program.executable.hasPrefix),
            interpreterName(of: baseName(program.executable)) == nil,
            Language(interpreter: baseName(program.executable)) == nil
        else { return nil }
        return name(of: program.executable)
    }

    /// Tools that take -4 for IPv4 alone.
    static let withOption4: Set = [
        "dig", "fping", "ftp", "git", "host", "iperf", "iperf3", "kdig", "mtr", "nc", "ncat", "ntpdate", "openssl",
        "ping", "rsync", "scp", "sftp", "ssh", "telnet", "tftp", "traceroute", "whois",
    ]

    private static let adviceOnIPv4 = [
        "aria2c": "Leave --disable-ipv6 out, and disable-ipv6 in its configuration.",
        "curl": "Leave -4 out, and ipv4 in .curlrc: curl then tries both families.",
        "dig": "Leave -4 out. Give the name to the program that connects, or ask for both types: dig NAME A NAME AAAA.",
        "getent": "Call getent ahosts in place of getent hosts and ahostsv4: it looks up both families.",
        "git": "Leave -4 out: git then tries both families.",
        "host": "Give the name to the program that connects, or leave -t A out: host then asks for both types.",
        "nmap": "Give nmap -6.",
        "openssl": "Leave -4 out: s_client then tries both families.",
        "snmpget": "Write udp6:HOST in place of HOST.",
        "socat": "Write TCP: or TCP6: in place of TCP4:, and UDP6: in place of UDP4:.",
        "ssh": "Leave -4 out, and AddressFamily inet in its configuration: ssh then tries both families.",
        "traceroute": "Leave -4 out, or give it -6: traceroute prefers IPv4 where a name has both.",
        "wget": "Leave -4 out, and inet4_only in .wgetrc: wget then tries both families.",
    ]
}
