// SPDX-License-Identifier: Apache-2.0
package import Diagnosis
package import DNSWire
import Evidence
import Text
import Translation
import Wire

/// The sentence of a statement.
package func sentence(_ statement: Statement) -> String { statement.parts.map(phrase).joined() }

private func phrase(_ part: Statement.Part) -> String {
    switch part {
    case .words(let words): words
    case .text(let text): text
    case .name(let name): name.withoutFinalDot
    case .address(let address): address.description
    case .service(let transport, let port): transport == .icmp ? "icmp" : "\(transport.rawValue) \(port)"
    case .site(let site): phrase(site)
    case .function(let function): function.rawValue
    case .type(let type): type.description
    case .responseCode(let code): code.description
    case .drop(let drop): "\(drop.count) × \(drop.reason.name): \(drop.reason.explanation) (\(drop.example))"
    case .call(let call, let site): phrase(call, at: site)
    case .origin(let origin): phrase(origin)
    case .source(let origin): source(origin)
    case .duration(let duration): phrase(duration)
    case .octets(let count): octets(count)
    }
}

/// `250 ms`, `5.2 s`
func phrase(_ duration: Duration) -> String {
    let milliseconds = Int((duration / .milliseconds(1)).rounded())
    if milliseconds < 1000 { return "\(milliseconds) ms" }
    let tenths = (milliseconds + 50) / 100
    return "\(tenths / 10).\(tenths % 10) s"
}

/// `client+0x11f0`, or `client, libcurl.so.4+0x2f1c0` for a library that the client called; with its line,
/// `client, connect_server (agent.c:12)`.
func phrase(_ site: CallSite) -> String {
    if site.file != nil {
        let frame = StackFrame(function: site.function, file: site.file, line: site.line)
        return [site.program, phrase(frame), site.through.map { "through \($0)" }].compactMap(\.self).joined(
            separator: ", ")
    }
    let module = site.module.map { baseName($0) }
    let place = module.flatMap { module in site.offset.map { "\(module)+0x" + String($0, radix: 16) } }
    guard let program = site.program, !program.isEmpty else { return place ?? "a program" }
    guard let place else { return program }
    return module == program ? place : "\(program), \(place)"
}

extension DomainName {
    /// The name in its usual form.
    package var withoutFinalDot: String { isRoot ? "." : String(description.dropLast()) }
}
