// SPDX-License-Identifier: Apache-2.0
import CFuzzer
import FuzzTargets
import Glibc

/// Fuzzes a target, if built with libFuzzer; otherwise runs the target on the given inputs.
///
///     FUZZ_TARGET=nat64 Fuzz [libFuzzer's options] CORPUS…
///     FUZZ_TARGET=nat64 Fuzz INPUT…
///
/// The target is in the environment because libFuzzer, when it restarts itself, passes only its own options.
@main
struct Fuzz {
    /// libFuzzer's entry is a C function, which cannot capture anything.
    private static let target: FuzzTarget = {
        let name = unsafe getenv("FUZZ_TARGET").map { unsafe String(cString: $0) }
        if let target = name.flatMap({ FuzzTarget(rawValue: $0) }) { return target }
        print("FUZZ_TARGET must be one of", FuzzTarget.allCases.map(\.rawValue).joined(separator: ", "))
        exit(2)
    }()

    static func main() {
        _ = target
        if cfuzzer_is_linked() {
            let code = unsafe cfuzzer_run(CommandLine.argc, CommandLine.unsafeArgv) { octets, count in
                unsafe Fuzz.run(Array(UnsafeBufferPointer(start: octets, count: count)))
                return 0
            }
            exit(code)
        }
        for path in CommandLine.arguments.dropFirst() { replay(path) }
    }

    private static func replay(_ path: String) {
        guard let file = unsafe fopen(path, "rb") else {
            print("cannot read \(path)")
            exit(2)
        }
        var input: [UInt8] = []
        while case let octet = unsafe getc(file), octet >= 0 { input.append(UInt8(truncatingIfNeeded: octet)) }
        unsafe fclose(file)
        run(input)
        print("\(path): nothing found")
    }

    private static func run(_ input: [UInt8]) {
        do throws(BrokenInvariant) {
            try target.run(input)
        } catch {
            unsafe cfuzzer_fail("\(error)")
        }
    }
}
