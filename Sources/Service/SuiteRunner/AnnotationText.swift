import Reports
import Sandbox
import Suites

extension AnnotationChoice {
    /// The lines for GitHub's log; empty where nothing is wanted.
    /// - Parameter file: the suite file's path from the root; `nil` is the one in the results.
    func text(_ results: SuiteResults, file: String?, _ environment: Environment) -> String {
        switch self {
        case .never: return ""
        case .auto where environment["GITHUB_ACTIONS"]?.description != "true": return ""
        case .auto, .always: break
        }
        // GitHub knows files by their paths in the repository.
        let workspace = environment["GITHUB_WORKSPACE"].map { $0.description + "/" } ?? ""
        let path = file.flatMap { file in
            !workspace.isEmpty && file.hasPrefix(workspace) ? String(file.dropFirst(workspace.count)) : nil
        }
        return GitHubAnnotations.render(results, file: path ?? results.header.file)
    }
}
