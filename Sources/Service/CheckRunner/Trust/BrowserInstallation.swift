// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import Sandbox
import Text

/// Where browsers that the client may run have their policies. Some names are looked up, and nothing is started.
///
/// A folder is chosen only below one of the browser's own, or below /etc/opt, where nobody else is: the folders above are the
/// system's, and what a client writes there must stay.
struct BrowserInstallation {
    let environment: Environment
    let program: OSString
    var exists: (_ path: String) -> Bool = { realPath($0) != nil }

    /// A build of Chromium.
    private struct Build {
        /// Where its policies are (components/policy/core/common/policy_paths.cc).
        var folder: String
        var programs: [String]
        /// Where tools that drive browsers keep the ones that they have fetched, below the home folder.
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
    /// Where distributions put it, some with a script in PATH that starts it.
    private static let firefoxHomes = [
        "/usr/lib/firefox", "/usr/lib64/firefox", "/usr/lib/firefox-esr", "/opt/firefox",
    ]
    private static let firefoxPolicies = "/etc/firefox/policies"

    /// Folders whose files Chromium and its kin read as policies, all of them.
    var chromiumPolicies: [String] {
        Self.builds.filter { exists($0.folder) || exists("/etc/opt") && $0.folder.hasPrefix("/etc/opt/") && isHere($0) }
            .map { "\($0.folder)/policies/managed" }
    }

    /// Folders with Firefox's policies.json, or where it may be.
    var firefoxPolicies: [String] {
        // It stands above those of the installations.
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
