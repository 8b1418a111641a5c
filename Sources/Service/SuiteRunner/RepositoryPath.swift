// SPDX-License-Identifier: Apache-2.0
import Glibc
import Sandbox

/// A file's path in the repository in which a CI service works.
/// - Parameters:
///   - name: as the user gave it.
///   - absolute: its absolute path, if it is known.
func repositoryPath(_ name: String, absolute: String?, _ environment: Environment) -> String {
    if let absolute, let path = workspaces(environment).lazy.compactMap({ relative(absolute, to: $0) }).first {
        return path
    }
    return (name.hasPrefix("/") ? "/" : "") + components(name).joined(separator: "/")
}

/// A work-tree file's path in the repository, which is relative to the same folder as the suite file's: the CI service's, or the working
/// directory. `nil` if there is no such file, or if it is elsewhere.
/// - Parameters:
///   - file: as named by a client, so it can be anything.
///   - folder: base of its relative paths, absolute.
func workTreePath(
    _ file: String, from folder: String, workingDirectory: String, _ environment: Environment,
    isFile: (String) -> Bool = isRegularFile
) -> String? {
    if file.isEmpty || file.utf8.contains(0) { return nil }
    let absolute = file.hasPrefix("/") ? file : folder + "/" + file
    let roots = workspaces(environment) + [workingDirectory]
    guard let path = roots.lazy.compactMap({ relative(absolute, to: $0) }).first else { return nil }
    return isFile("/" + components(absolute).joined(separator: "/")) ? path : nil
}

private func workspaces(_ environment: Environment) -> [String] {
    ["GITHUB_WORKSPACE", "CI_PROJECT_DIR"].compactMap { environment[$0]?.description }.filter { $0.hasPrefix("/") }
}

/// `nil` if it is not below the folder.
private func relative(_ absolute: String, to folder: String) -> String? {
    let (path, root) = (components(absolute), components(folder))
    guard path.starts(with: root), path.count > root.count, path.first != ".." else { return nil }
    return path.dropFirst(root.count).joined(separator: "/")
}

private func isRegularFile(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
}

/// Without `.` and, if possible, `..`.
private func components(_ path: String) -> [Substring] {
    path.split(separator: "/").reduce(into: []) { result, part in
        if part == ".." && result.last.map({ $0 != ".." }) ?? false {
            result.removeLast()
        } else if part != "." {
            result.append(part)
        }
    }
}
