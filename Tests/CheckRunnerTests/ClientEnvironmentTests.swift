import Sandbox
import Testing

@testable import CheckRunner

@Suite struct ClientEnvironmentTests {
    private func environment(_ entries: String..., bundle: String? = nil) -> ClientEnvironment {
        ClientEnvironment(inherited: Environment(entries: entries.map { OSString($0) }), bundle: bundle)
    }

    @Test func proxiesAreTakenOutInEitherCase() {
        let client = environment(
            "PATH=/bin", "http_proxy=http://proxy:3128", "HTTPS_PROXY=http://proxy:3128", "no_proxy=")
        #expect(client.variables.entries == ["PATH=/bin"])
        #expect(client.removedProxies == ["http_proxy", "HTTPS_PROXY"])
    }

    @Test func theCertificatesAreWhereTheClientLooks() {
        let client = environment("CURL_CA_BUNDLE=/other.pem", bundle: "/etc/bundle.pem")
        for name in ["SSL_CERT_FILE", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"] {
            #expect(client.variables[name] == "/etc/bundle.pem")
        }
    }

    @Test func everythingElseStays() {
        let client = environment("A=1", "B", "C==")
        #expect(client.variables.entries == ["A=1", "B", "C=="])
        #expect(client.removedProxies.isEmpty)
    }
}
