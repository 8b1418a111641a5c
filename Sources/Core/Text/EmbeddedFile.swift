// SPDX-License-Identifier: Apache-2.0
import CTexts

/// Files of the repository that are embedded in the executables.
package enum EmbeddedFile {
    package static var dns64Scenario: String { unsafe String(cString: ctexts_dns64_scenario) }
    package static var eyeballsLadder: String { unsafe String(cString: ctexts_eyeballs_ladder) }
    package static var eyeballsWorld: String { unsafe String(cString: ctexts_eyeballs_world) }
    package static var matrixRows: String { unsafe String(cString: ctexts_matrix_rows) }
    package static var matrixServerRows: String { unsafe String(cString: ctexts_matrix_server_rows) }
    package static var matrixWorld: String { unsafe String(cString: ctexts_matrix_world) }
    package static var nodeFrames: String { unsafe String(cString: ctexts_node_frames) }
    package static var openAPI: String { unsafe String(cString: ctexts_openapi) }

    /// The numbers of the rules that have a page, in their order.
    package static var ruleNumbers: [String] {
        unsafe UnsafeBufferPointer(start: ctexts_rule_pages, count: ctexts_rule_page_count).map { page in
            unsafe String(cString: page.rule)
        }
    }

    /// The pages of docs/rules, sorted by rule.
    package static var rulePages: [(rule: String, text: String)] {
        unsafe UnsafeBufferPointer(start: ctexts_rule_pages, count: ctexts_rule_page_count).map { page in
            unsafe (rule: String(cString: page.rule), text: String(cString: page.text))
        }
    }
}
