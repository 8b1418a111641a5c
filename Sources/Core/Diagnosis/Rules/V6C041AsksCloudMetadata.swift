// SPDX-License-Identifier: Apache-2.0
import Evidence
import Translation
import Wire

extension Rule {
    /// A cloud's metadata service has a link-local IPv4 address; some have an IPv6 address beside it.
    package static let asksCloudMetadata = Rule(
        id: "V6C-041", title: "asks a cloud's metadata service at its IPv4 address",
        severityIfPassing: .warning,
        advice:
            "Ask at the service's IPv6 address where the cloud has one (AWS: fd00:ec2::254, AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE=IPv6), "
            + "in short time, and go on without.",
        networks: .ipv6Only, clients: .all,
        supersedes: ["V6C-001", "V6C-004", "V6C-005", "V6C-012", "V6C-024", "V6C-044"]
    ) { examination in
        let calls = examination.traced.attempts.filter {
            $0.ipv4?.isCloudMetadata == true && ($0.isUnreachable || !examination.run.end.isSuccess)
        }
        let called = examination.observations(of: calls) { call, site in
            "\(call, at: site): the metadata service of a cloud, which IPv6-only machines do not have at this address."
        }
        if !called.isEmpty || examination.run.end.isSuccess { return called }
        return examination.run.seen.flows.compactMap { flow in
            guard let address = flow.ipv4Destination, address.isCloudMetadata else { return nil }
            return Observation(
                "It went to \(flow.remote) (\(service: flow)), which stands for \(address): the metadata service of a cloud.",
                about: .address(.ipv4(address)))
        }
    }
}
