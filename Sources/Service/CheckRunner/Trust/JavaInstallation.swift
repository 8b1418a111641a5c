// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import Sandbox
import Text

/// Finds the trusted certificates of a JDK that the client may run. It only looks up some names, and starts nothing.
enum JavaInstallation {
    /// The files, their symbolic links followed, each once.
    static func keyStores(_ environment: Environment, _ program: OSString) -> [String] {
        var homes: [String] = []
        if let home = environment["JAVA_HOME"]?.description, !home.isEmpty { homes.append(home) }
        let java = Executable.find("java", path: environment["PATH"])
        for tool in [isJava(program) ? program.description : nil, (try? java.get())?.description] {
            // HOME/bin/java, or HOME/jre/bin/java until Java 8.
            guard let tool, let path = realPath(tool) else { continue }
            homes.append(parentFolder(parentFolder(path)))
        }
        let places = homes.flatMap { ["\($0)/lib/security/cacerts", "\($0)/jre/lib/security/cacerts"] }
        return places.compactMap(realPath).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    static func isJava(_ program: OSString) -> Bool {
        ["java", "javac", "jshell"].contains(baseName(program.description))
    }
}
