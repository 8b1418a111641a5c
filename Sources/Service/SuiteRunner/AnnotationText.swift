// SPDX-License-Identifier: Apache-2.0
import Reports
import Sandbox
import Suites

extension AnnotationChoice {
    /// The lines for GitHub's log; empty if none are wanted.
    /// - Parameter file: the suite file's path in the repository.
    func text(_ results: SuiteResults, file: String, _ environment: Environment) -> String {
        switch self {
        case .never: return ""
        case .auto where environment["GITHUB_ACTIONS"]?.description != "true": return ""
        case .auto, .always:
            return GitHubAnnotations.render(
                results, file: file, pages: environment["IPV6CHECK_PAGES"]?.description)
        }
    }
}
