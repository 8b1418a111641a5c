import FoundationEssentials
import Glibc
import Sandbox

/// A file as the repository knows it, in which a CI service works.
/// - Parameters:
///   - name: as the user called it.
///   - absolute: the path from the root, if it is known.
func repositoryPath(_ name: String, absolute: String?, _ environment: Environment) -> String {
    for variable in ["GITHUB_WORKSPACE", "CI_PROJECT_DIR"] {
        guard let folder = environment[variable]?.description, folder.hasPrefix("/"), let absolute else { continue }
        let (path, root) = (components(absolute), components(folder))
        if path.starts(with: root), path.count > root.count {
            return path.dropFirst(root.count).joined(separator: "/")
        }
    }
    return (name.hasPrefix("/") ? "/" : "") + components(name).joined(separator: "/")
}

/// A file that a client's debug information or interpreter names, as the repository knows it; `nil` if it is none of its files.
/// - Parameter folder: the client's working directory, from the root.
func repositoryPath(ofSource name: String, in folder: String, _ environment: Environment) -> String? {
    let absolute = name.hasPrefix("/") ? name : "\(folder)/\(name)"
    var status = stat()
    guard unsafe stat(absolute, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let path = repositoryPath(absolute, absolute: absolute, environment)
    if !path.hasPrefix("/") { return path }
    // On a desk it is below where the suite is run, or not of the project.
    let current = components(FileManager.default.currentDirectoryPath)
    let found = components(path)
    guard found.starts(with: current), found.count > current.count else { return nil }
    return found.dropFirst(current.count).joined(separator: "/")
}

/// Without `.` and, where that can be, `..`.
private func components(_ path: String) -> [Substring] {
    path.split(separator: "/").reduce(into: []) { result, part in
        if part == ".." && result.last.map({ $0 != ".." }) ?? false {
            result.removeLast()
        } else if part != "." {
            result.append(part)
        }
    }
}
