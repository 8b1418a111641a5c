// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import TestSupport
import Testing

@testable import World

/// By curl, as people ask such services.
@Suite("The metadata service of clouds", .timeLimit(.minutes(5))) struct CloudMetadataTests {
    private func ask(_ service: RunningService, _ path: String, _ options: [String]) async throws -> String {
        try await runAside(
            ["curl", "-sS", "-w", "%{http_code}"] + options + ["http://127.0.0.1:\(service.port)\(path)"]
        ).successful().text
    }

    @Test(arguments: [
        // AWS: IMDSv2, IMDSv1
        (
            "/latest/api/token", ["-X", "PUT", "-H", "X-aws-ec2-metadata-token-ttl-seconds: 60"],
            "ipv6check-token-60200"
        ),
        ("/latest/api/token", ["-X", "PUT"], "400"),
        ("/latest/api/token", ["-X", "PUT", "-H", "X-aws-ec2-metadata-token-ttl-seconds: 21601"], "400"),
        ("/latest/meta-data/placement/region", [], "eu-central-1200"),
        (
            "/latest/meta-data/placement/region", ["-H", "X-aws-ec2-metadata-token: ipv6check-token-60"],
            "eu-central-1200"
        ),
        ("/latest/meta-data/placement/region", ["-H", "X-aws-ec2-metadata-token: another"], "401"),
        ("/latest/meta-data/placement/", [], "availability-zone\nregion200"),
        ("/latest/", [], "meta-data/\ndynamic/200"),
        ("/latest/meta-data/nothing", [], "There is no such metadata.\n404"),
        ("/latest/meta-data/ami-id", ["-X", "POST"], "405"),
        // Google Cloud
        ("/computeMetadata/v1/project/project-id", ["-H", "Metadata-Flavor: Google"], "made-up200"),
        ("/computeMetadata/v1/project/project-id", [], "Missing required header \"Metadata-Flavor\": \"Google\"\n403"),
        ("/", ["-H", "Metadata-Flavor: Google", "-D", "-", "-o", "/dev/null"], "Google"),
        // Azure
        (
            "/metadata/instance?api-version=2021-02-01", ["-H", "Metadata: true"],
            "\"location\": \"germanywestcentral\""
        ),
        ("/metadata/instance?api-version=2021-02-01", [], "Required metadata header not specified\"}\n400"),
        ("/metadata/instance", ["-H", "Metadata: true"], "api-version was not specified in the request\"}\n400"),
    ]) func `each is told apart by its path`(path: String, options: [String], answer: String) async throws {
        try await withService(.metadata) { service in
            let text = try await ask(service, path, options)
            #expect(text == answer || text.contains(answer) && answer.count > 5)
        }
    }
}
