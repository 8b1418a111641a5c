// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Sandbox
import Simulator
import World

/// Makes a client trust the test CA, by files that only the client sees and variables that point to them.
///
/// The system's certificates are extended if the system has them. If a variable of the user's names other certificates, those are extended
/// instead, so that the client still trusts what it trusted, and no more.
struct ClientTrust {
    private(set) var files: [ShownFile]
    private(set) var variables: [(name: String, path: String)] = []
    /// Changes to the user's own certificates, and changes that were impossible, a sentence each.
    private(set) var notes: [String] = []

    /// The variables that name a file of certificates for OpenSSL and Go, curl, Python's requests and Node.js.
    private static let variableNames = [
        "SSL_CERT_FILE", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS",
    ]
    private static let lonelyPath = "/etc/ipv6check-test-ca.pem"
    private static let sizeLimit = 16 << 20

    /// - Parameters:
    ///   - authority: the certificate of the test CA (PEM).
    ///   - environment: the user's.
    ///   - program: the client's path.
    init(authority: String, environment: Environment, program: OSString) {
        let system = ClientFiles.certificates(authority: authority)
        files = system.files
        for name in Self.variableNames {
            let own = environment[name].flatMap { $0.bytes.isEmpty ? nil : $0 }
            if let own, extend(own, of: name, by: authority) { continue }
            if name == "SSL_CERT_FILE", environment["SSL_CERT_DIR"].map({ !$0.bytes.isEmpty }) ?? false {
                // The folder takes the place of the system's certificates. Programs that read it read a file as well, which has nothing
                // else in it.
                files.append(ShownFile(paths: [Self.lonelyPath], contents: Array(authority.utf8)))
                variables.append((name, Self.lonelyPath))
                notes.append("SSL_CERT_DIR: the test CA was added beside it, by SSL_CERT_FILE.")
            } else {
                variables.append((name, system.bundlePath))
            }
        }
        extendJavaKeyStores(by: authority, environment, program)
        extendBrowserPolicies(by: authority, BrowserInstallation(environment: environment, program: program))
    }

    /// Extends the user's own file; false if that is impossible.
    private mutating func extend(_ own: OSString, of name: String, by authority: String) -> Bool {
        let path = absolute(own.description)
        // Another variable names the same file, or it is the system's.
        if files.contains(where: { $0.paths.contains(path) }) { return true }
        var isFolder = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder,
            FileBytes(path: OSString(path)) != nil
        else {
            let reason = isFolder ? "is a folder" : "cannot be read"
            notes.append("\(name): \(path) \(reason); the system's certificates and the test CA took its place.")
            return false
        }
        files.append(ShownFile(paths: [path], beginning: .init(path: path), contents: Array(authority.utf8)))
        notes.append("\(name): the test CA was added to \(path).")
        return true
    }

    private func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }

    /// Java has a file of certificates of its own.
    private mutating func extendJavaKeyStores(
        by authority: String, _ environment: Environment, _ program: OSString
    ) {
        for path in JavaInstallation.keyStores(environment, program) {
            guard let file = FileBytes(path: OSString(path)) else { continue }
            if let extended = JavaKeyStore.extended(file.read(upTo: Self.sizeLimit, at: 0), by: authority) {
                files.append(ShownFile(paths: [path], contents: extended))
            } else if JavaInstallation.isJava(program) {
                notes.append(
                    "Java: the test CA was not added to \(path), which is no key store of the usual form.")
            }
        }
    }

    /// Browsers have certificates of their own, and take more from an administrator's policies.
    private mutating func extendBrowserPolicies(by authority: String, _ installation: BrowserInstallation) {
        for folder in installation.chromiumPolicies {
            // If two files set a policy, the later by name counts.
            files.append(
                ShownFile(
                    paths: ["\(folder)/zz-ipv6check.json"], contents: BrowserPolicies.chromium(trusting: authority),
                    isOptional: true))
        }
        for folder in installation.firefoxPolicies {
            let certificate = "\(folder)/ipv6check-test-ca.pem"
            let path = "\(folder)/policies.json"
            var own: [UInt8]?
            if let file = FileBytes(path: OSString(path)) { own = file.read(upTo: Self.sizeLimit, at: 0) }
            if let policies = BrowserPolicies.firefox(own, installing: certificate) {
                files.append(ShownFile(paths: [path], contents: policies, isOptional: true))
                files.append(ShownFile(paths: [certificate], contents: Array(authority.utf8), isOptional: true))
            } else if installation.isFirefox {
                notes.append("Firefox: the test CA was not added to \(path), which is no JSON object.")
            }
        }
    }
}
