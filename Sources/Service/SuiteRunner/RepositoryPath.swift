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
