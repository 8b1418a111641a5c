// SPDX-License-Identifier: Apache-2.0
import CLinux
import CSystemCall
import Glibc
import LinuxNet
import Sandbox
import Wire

/// Makes system calls in confined processes, one in each, and says what came of them: `number: result`, where a result is
/// negative for an errno, or `ended` where the call ended the process, or had it do nothing more.
///
///     SandboxProbe scan         every number
///     SandboxProbe scan-rights  the same with the filter alone, and with all the rights that this process has
///     SandboxProbe try NAME ARGUMENT…   one call; an argument is a number, `parent` or a text
///     SandboxProbe scan-in PROCESS   every number that is not in the table, made in a confined process that is there
enum Scan {
    /// No machine has so many.
    static let numbers = 0..<600
    /// The bit of the x32 calls.
    static let foreign = 0x4000_0000

    static func all(keepingRights: Bool) throws(SystemError) {
        let futex = unsafe "futex".withCString { unsafe csystemcall_number($0) }
        for number in Array(numbers) + [foreign, foreign + 1, foreign + 59, -1] {
            // A bad operation is none to the kernel.
            let arguments = Array(repeating: number == futex ? 0 : -1, count: 6)
            report("\(number): \(try outcome(of: number, arguments, keepingRights: keepingRights))")
        }
    }

    /// Tries in the main thread of the process what is not allowed there.
    static func others(in process: Int32) throws(SystemError) {
        guard let victim = unsafe csystemcall_begin(process) else { throw SystemError("ptrace", Errno(errno)) }
        let allowed = Set(AllowedCall.all.map { Int($0.number) })
        for number in Array(numbers) + [foreign, foreign + 1, foreign + 59, -1] where !allowed.contains(number) {
            report("\(number): \(unsafe csystemcall_make_in(victim, number, Array(repeating: -1, count: 6)))")
        }
        unsafe csystemcall_end(victim)
    }

    static func one(_ words: [String]) throws(SystemError) {
        let number = unsafe words[0].withCString { unsafe csystemcall_number($0) }
        let parent = Int(getpid())
        let arguments = words.dropFirst().map { word -> Int in
            if word == "parent" { return parent }
            // The text lives as long as the process.
            return Int(word) ?? (unsafe Int(bitPattern: strdup(word)))
        }
        let padded = arguments + Array(repeating: 0, count: 6 - arguments.count)
        report("\(words[0]): \(try outcome(of: number, padded, keepingRights: false))")
    }

    private static func outcome(
        of number: Int, _ arguments: [Int], keepingRights: Bool
    ) throws(SystemError) -> String {
        let pair = try UnixSocket.pair()
        let process = try SecondProcess.start(name: "confined", from: pair.first, to: pair.second) { socket, parent in
            do {
                if keepingRights {
                    _ = clinux_forbid_new_rights() + clinux_allow_listed_calls()
                } else {
                    _ = try Confinement.enter(endingWith: parent)
                }
                let result = unsafe csystemcall_make(number, arguments)
                try socket.send(Array("\(result)".utf8).span)
            } catch {
                report("cannot be confined: \(error)")
            }
        }
        var outcome = "ended"
        // A return from a signal that there was none of goes nowhere, perhaps for ever.
        let deadline = MonotonicClock.now() + .seconds(5)
        if waitForInput(pair.first.descriptor, until: deadline),
            case .message(let octets, _) = try pair.first.receive(upTo: 64)
        {
            outcome = String(decoding: octets, as: UTF8.self)
        }
        process.end()
        return outcome
    }
}
