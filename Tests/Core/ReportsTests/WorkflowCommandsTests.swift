// SPDX-License-Identifier: Apache-2.0
import Reports
import Testing

struct WorkflowCommandsTests {
    @Test(arguments: [
        ("::error::x", ": :error::x"), ("    ::add-mask::x\n", "    : :add-mask::x\n"),
        ("a\n\t::stop-commands::t\r::warning::b", "a\n\t: :stop-commands::t\r: :warning::b"),
        ("a\r\n::debug::b", "a\r\n: :debug::b"), ("\u{a0}\u{2003}::error::x", "\u{a0}\u{2003}: :error::x"),
        ("a ##[add-mask]b", "a ## [add-mask]b"), ("###[x]##[y]", "### [x]## [y]"), ("::::", ": :::"),
        ("::\u{301}error::x", ": :\u{301}error::x"), ("##[\u{301}x]", "## [\u{301}x]"),
    ])
    func `a text commands nothing`(text: String, harmless: String) {
        #expect(withoutWorkflowCommands(text) == harmless)
    }

    @Test(arguments: [
        "", "2001:2::1", "connect(64:ff9b::c633:640a) → 0", "a ::error::x", "  a: [::1]:80\n",
        "#[allow(dead_code)] ## x # #[",
        "std::io::Error\n", ": :error",
    ])
    func `what is no command stays as it is`(text: String) {
        #expect(withoutWorkflowCommands(text) == text)
    }
}
