// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HTTPServing
import Text

/// An outline of the metadata service that a cloud has at 169.254.169.254: AWS (IMDSv1 and v2), Google Cloud and Azure,
/// distinguished by their paths. All values are made up, the credentials too.
///
/// | request | answer |
/// | --- | --- |
/// | `PUT /latest/api/token` with a TTL | a token, which `GET /latest/…` may have with it (IMDSv2) and need not (IMDSv1) |
/// | `GET /latest/meta-data/…` | a value, or what there is below the path, as AWS has it |
/// | `GET /computeMetadata/v1/…` with `Metadata-Flavor: Google` | the same, as Google Cloud has it |
/// | `GET /metadata/…?api-version=…` with `Metadata: true` | JSON, as Azure has it |
enum CloudMetadata {
    static func answer(_ request: Request) -> Response {
        let path = request.path.split(separator: "/").joined(separator: "/")
        if request.method == .put, path == "latest/api/token" { return token(request) }
        guard request.method == .get || request.method == .head else { return .text("", status: .methodNotAllowed) }
        switch path.prefix(while: { $0 != "/" }) {
        case "latest": return amazon(request, path)
        case "metadata": return azure(request, path)
        case "computeMetadata", "": return google(request, path)
        default: return notFound
        }
    }

    private static let notFound = Response.text("There is no such metadata.\n", status: .notFound)

    // MARK: AWS

    private static let tokenStart = "ipv6check-token-"

    private static func token(_ request: Request) -> Response {
        let seconds = HTTPField.Name("X-aws-ec2-metadata-token-ttl-seconds")!
        guard let text = request.headers[seconds], let number = Int(text), (1...21_600).contains(number) else {
            return .text("", status: .badRequest)
        }
        var response = Response.text("\(tokenStart)\(number)")
        response.headers[seconds] = text
        return response
    }

    private static func amazon(_ request: Request, _ path: String) -> Response {
        if let token = request.headers[HTTPField.Name("X-aws-ec2-metadata-token")!], !token.hasPrefix(tokenStart) {
            return .text("", status: .unauthorized)
        }
        return value(at: path, in: amazonValues).map { .text($0) } ?? notFound
    }

    private static let amazonValues: KeyValuePairs = [
        "latest/meta-data/ami-id": "ami-0123456789abcdef0",
        "latest/meta-data/hostname": "ip-198-51-100-9.ec2.internal",
        "latest/meta-data/iam/security-credentials/made-up": """
        {"Code": "Success", "LastUpdated": "2026-01-01T00:00:00Z", "Type": "AWS-HMAC", "AccessKeyId": "ASIAMADEUP0000000000", \
        "SecretAccessKey": "made-up", "Token": "made-up", "Expiration": "2099-01-01T00:00:00Z"}
        """,
        "latest/meta-data/instance-id": "i-0123456789abcdef0",
        "latest/meta-data/instance-type": "t3.micro",
        "latest/meta-data/local-hostname": "ip-198-51-100-9.ec2.internal",
        "latest/meta-data/local-ipv4": "198.51.100.9",
        "latest/meta-data/placement/availability-zone": "eu-central-1a",
        "latest/meta-data/placement/region": "eu-central-1",
        "latest/dynamic/instance-identity/document": """
        {"accountId": "123456789012", "imageId": "ami-0123456789abcdef0", "instanceId": "i-0123456789abcdef0", \
        "instanceType": "t3.micro", "privateIp": "198.51.100.9", "region": "eu-central-1"}
        """,
    ]

    // MARK: Google Cloud

    private static let flavor = HTTPField.Name("Metadata-Flavor")!

    private static func google(_ request: Request, _ path: String) -> Response {
        guard request.headers[flavor] == "Google" else {
            return path.isEmpty
                ? .text("latest/\ncomputeMetadata/\nmetadata/\n")
                : .text("Missing required header \"Metadata-Flavor\": \"Google\"\n", status: .forbidden)
        }
        var response =
            path.isEmpty ? .text("computeMetadata/\n") : value(at: path, in: googleValues).map { .text($0) } ?? notFound
        if path.hasSuffix("/token") { response.headers[.contentType] = "application/json" }
        response.headers[flavor] = "Google"
        return response
    }

    private static let googleValues: KeyValuePairs = [
        "computeMetadata/v1/instance/hostname": "made-up.c.made-up.internal",
        "computeMetadata/v1/instance/id": "1234567890123456789",
        "computeMetadata/v1/instance/name": "made-up",
        "computeMetadata/v1/instance/service-accounts/default/email": "made-up@made-up.iam.gserviceaccount.com",
        "computeMetadata/v1/instance/service-accounts/default/token":
            "{\"access_token\": \"made-up\", \"expires_in\": 3599, \"token_type\": \"Bearer\"}",
        "computeMetadata/v1/instance/zone": "projects/123456789012/zones/europe-west3-a",
        "computeMetadata/v1/project/numeric-project-id": "123456789012",
        "computeMetadata/v1/project/project-id": "made-up",
    ]

    // MARK: Azure

    private static func azure(_ request: Request, _ path: String) -> Response {
        func refusal(_ reason: String) -> Response {
            var response = Response.json("{\"error\": \(jsonString("Bad request. \(reason)"))}")
            response.status = .badRequest
            return response
        }
        guard request.headers[HTTPField.Name("Metadata")!]?.lowercased() == "true" else {
            return refusal("Required metadata header not specified")
        }
        guard request.query["api-version"] != nil else {
            return refusal("api-version was not specified in the request")
        }
        switch path {
        case "metadata/instance":
            return .json(
                """
                {"compute": {"azEnvironment": "AzurePublicCloud", "location": "germanywestcentral", "name": "made-up", \
                "resourceGroupName": "made-up", "subscriptionId": "00000000-0000-0000-0000-000000000000", \
                "vmId": "00000000-0000-0000-0000-000000000001", "vmSize": "Standard_B1s"}}
                """)
        case "metadata/identity/oauth2/token":
            return .json(
                "{\"access_token\": \"made-up\", \"expires_in\": \"3599\", \"token_type\": \"Bearer\", \"resource\": \(jsonString(request.query["resource"] ?? ""))}"
            )
        default: return notFound
        }
    }

    // MARK: Trees

    /// The value at a path, or the names below it, one per line; a name with further names below it ends with a slash.
    private static func value(at path: String, in values: KeyValuePairs<String, String>) -> String? {
        if let found = values.first(where: { $0.key == path }) { return found.value }
        var names: [String] = []
        for (key, _) in values where key.hasPrefix(path + "/") {
            let rest = key.dropFirst(path.count + 1)
            let name = rest.prefix { $0 != "/" }
            let line = name.endIndex == rest.endIndex ? String(name) : "\(name)/"
            if !names.contains(line) { names.append(line) }
        }
        return names.isEmpty ? nil : names.joined(separator: "\n")
    }
}
