// SPDX-License-Identifier: Apache-2.0
import Evidence
import LinuxNet
import Origins
import Text

/// The sources of a client's programs, read within limits.
struct SourceFiles {
    /// Maximum octets of one file, and of all; files of one program, and paths that are tried: with LD_LIBRARY_PATH a program looks for its
    /// libraries at many paths where there are none.
    private static let limits = (octets: 1 << 20, allOctets: 8 << 20, files: 50, paths: 500)

    private var left = Self.limits.allOctets

    /// The scripts that an interpreter runs, and the files that it opened and which are no library's.
    static func scripts(of program: Int, in calls: CallEvidence) -> [String] {
        let own = calls.openedFiles.filter {
            // The configuration of the machine's own tools starts no program of the user's.
            $0.program == program && !StackFrame(file: $0.path).isOfLibrary && !$0.path.hasPrefix("/etc/")
        }
        // Python opens the compiled form of its sources.
        let opened = own.map { AddressOrigins.source(ofCompiled: $0.path) ?? $0.path }
        // Guile opens the compiled form of its script, in a folder of its own, so the script is added.
        return (calls.programs[program].script.map { [$0] } ?? []) + opened
    }

    /// The same, with the sources of Java's classes, and without data: a program may have written its words there, and a setting names a tool
    /// and does not start it.
    static func sources(of program: Int, in calls: CallEvidence) -> [String] {
        let files = scripts(of: program, in: calls).filter { file in
            !["json", "toml", "ini", "log", "txt", "csv", "class"].contains { file.hasSuffix("." + $0) }
        }
        return files + sourcesOfClasses(of: program, in: calls)
    }

    /// The sources of Java's classes.
    static func sourcesOfClasses(of program: Int, in calls: CallEvidence) -> [String] {
        let classes = calls.openedFiles.filter { $0.program == program && $0.path.hasSuffix(".class") }
        return classes.prefix(Self.limits.files).flatMap { ClassFile.sources(of: $0.path) }
    }

    mutating func search(in paths: [String]) -> SourceSearch {
        var search = SourceSearch()
        var known: Set<String> = []
        // `sh ./fetch.sh` opens the path as it was given.
        let each = paths.map { $0.replacing("/./", with: "/") }.filter { known.insert($0).inserted }
        var files = 0
        for path in each.prefix(Self.limits.paths) where files < Self.limits.files {
            let limit = min(Self.limits.octets, left)
            // In a part of a file, a line may seem to be the only one.
            guard let octets = AddressOrigins.contents(path, limit: limit) else { continue }
            left -= octets.count
            files += 1
            search.add(file: octets, path: path)
        }
        return search
    }
}

extension TracedProgram {
    /// The script that an interpreter runs: its first argument that is no option, as an absolute path. `nil` for other programs, whose
    /// argument may be anything.
    fileprivate var script: String? {
        guard interpreterName(of: baseName(executable)) != nil,
            let argument = arguments.dropFirst().first(where: { !$0.hasPrefix("-") })
        else { return nil }
        return argument.hasPrefix("/") ? argument : "\(workingDirectory)/\(argument)"
    }
}
