// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import Sandbox
import Text

/// Finds the policy folders of browsers that the client may run. It only looks up some names, and starts nothing.
///
/// A folder is chosen only below one of the browser's own, or below /etc/opt, where nothing else is: the folders above are the system's,
/// and files that a client writes there must stay.
struct BrowserInstallation {
    let environment: Environment
    let program: OSString
    var exists: (_ path: String) -> Bool = { realPath($0) != nil }

    /// A build of Chromium.
    private struct Build {
        /// The folder of its policies (components/policy/core/common/policy_paths.cc).
        var folder: String
        var programs: [String]
        /// Folders below the home folder in which tools that drive browsers keep the browsers that they have fetched.
        var caches: [String] = []
    }

    private static let builds = [
        Build(folder: "/etc/chromium", programs: ["chromium", "chromium-browser"]),
        Build(folder: "/etc/opt/chrome", programs: ["google-chrome", "google-chrome-stable", "chrome"]),
        Build(
            folder: "/etc/opt/chrome_for_testing", programs: [],
            caches: [".cache/puppeteer", ".cache/ms-playwright", ".cache/selenium"]),
        Build(folder: "/etc/opt/edge", programs: ["microsoft-edge", "microsoft-edge-stable"]),
    ]
    private static let firefoxes = ["firefox", "firefox-esr"]
    /// Folders in which distributions put Firefox, some with a script in PATH that starts it.
    private static let firefoxHomes = [
        "/usr/lib/firefox", "/usr/lib64/firefox", "/usr/lib/firefox-esr", "/opt/firefox",
    ]
    private static let firefoxPolicies = "/etc/firefox/policies"

    /// Folders in which Chromium and its relatives read all files as policies.
    var chromiumPolicies: [String] {
        Self.builds.filter { exists($0.folder) || exists("/etc/opt") && $0.folder.hasPrefix("/etc/opt/") && isHere($0) }
            .map { "\($0.folder)/policies/managed" }
    }

    /// Folders that have, or may have, Firefox's policies.json.
    var firefoxPolicies: [String] {
        // This file takes precedence over those of the installations.
        if exists("\(Self.firefoxPolicies)/policies.json") { return [Self.firefoxPolicies] }
        let found = Self.firefoxes.compactMap(executable).compactMap(realPath).map(parentFolder)
        let own = isFirefox ? [parentFolder(realPath(program.description) ?? program.description)] : []
        let homes = (own + found + Self.firefoxHomes).filter { exists("\($0)/omni.ja") }
        return homes.map { realPath("\($0)/distribution") ?? "\($0)/distribution" }
            .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    var isFirefox: Bool { Self.firefoxes.contains(baseName(program.description)) }

    private func isHere(_ build: Build) -> Bool {
        if build.programs.contains(baseName(program.description)) { return true }
        if build.programs.contains(where: { executable($0) != nil }) { return true }
        guard let home = environment["HOME"]?.description, !home.isEmpty else { return false }
        return build.caches.contains { exists("\(home)/\($0)") }
    }

    private func executable(_ name: String) -> String? {
        let found = Executable.find(OSString(name), path: environment["PATH"])
        return (try? found.get())?.description
    }
}
