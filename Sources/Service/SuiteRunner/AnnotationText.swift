import Reports
import Sandbox
import Suites

extension AnnotationChoice {
    /// The lines for GitHub's log; empty where nothing is wanted.
    /// - Parameter file: the suite file as the repository knows it.
    func text(_ results: SuiteResults, file: String, _ environment: Environment) -> String {
        switch self {
        case .never: return ""
        case .auto where environment["GITHUB_ACTIONS"]?.description != "true": return ""
        case .auto, .always: return GitHubAnnotations.render(results, file: file)
        }
    }
}

/// A file as the repository knows it, in which a CI service works.
/// - Parameters:
///   - name: as the user called it.
///   - absolute: the path from the root, if it is known.
func repositoryPath(_ name: String, absolute: String?, _ environment: Environment) -> String {
    for variable in ["GITHUB_WORKSPACE", "CI_PROJECT_DIR"] {
        guard let root = environment[variable]?.description, !root.isEmpty, let absolute else { continue }
        let prefix = root.hasSuffix("/") ? root : root + "/"
        if absolute.hasPrefix(prefix) { return String(absolute.dropFirst(prefix.count)) }
    }
    return name
}
