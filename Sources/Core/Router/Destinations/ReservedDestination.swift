// SPDX-License-Identifier: Apache-2.0
package import Wire

/// Addresses that clients do not reach although no registry of special-purpose addresses excludes them, or not for good: at these addresses
/// the owner of the host's network serves its machines, and gives some of them secrets.
///
/// A row names the document of the address and when it was last looked up. cloud-init, which has to find all of these, is the source if the
/// cloud's own pages move.
package struct ReservedDestination<Prefix: Hashable & Sendable>: Hashable, Sendable {
    package let prefix: Prefix
    /// Owner and use: "Azure's platform services".
    package let use: String
    /// Whether `allow:` can still name it.
    package let canBeAllowed: Bool
    package let source: String
    /// Year and month.
    package let date: String
}

extension ReservedDestination<IPv4Prefix> {
    private init(_ prefix: String, _ use: String, canBeAllowed: Bool = false, _ source: String, _ date: String) {
        self.init(prefix: IPv4Prefix(prefix)!, use: use, canBeAllowed: canBeAllowed, source: source, date: date)
    }

    package static let all: [ReservedDestination<IPv4Prefix>] = [
        // 169.254.169.254 nearly everywhere; 169.254.170.2 and .23 tasks of ECS and EKS; 169.254.42.42 Scaleway; 169.254.0.23
        // Tencent. Link-local: no router forwards it (RFC 3927 §7).
        Self(
            "169.254.0.0/16", "clouds' metadata services", "cloud-init sources/DataSourceEc2.py and others", "2026-11"),
        Self("168.63.129.16/32", "Azure's platform services", "cloud-init sources/helpers/azure.py", "2026-11"),
        Self(
            "100.100.100.200/32", "Alibaba Cloud's metadata service", "cloud-init sources/DataSourceAliYun.py",
            "2026-11"),
        Self(
            "192.0.0.192/32", "Oracle Cloud Classic's metadata service", "Oracle, Compute Classic: Instance Metadata",
            "2026-11"),
        // Anycast address of the relays of 6to4, which is obsolete: no client has business with a host that answers there.
        Self("192.88.99.0/24", "the relays of 6to4", canBeAllowed: true, "RFC 7526 §4", "2015-05"),
    ]
}

extension ReservedDestination<IPv6Prefix> {
    private init(_ prefix: String, _ use: String, _ source: String, _ date: String) {
        self.init(prefix: IPv6Prefix(prefix)!, use: use, canBeAllowed: false, source: source, date: date)
    }

    /// All of them are unique local addresses.
    package static let all: [ReservedDestination<IPv6Prefix>] = [
        // ::254 metadata, ::23 EKS, ::253 and ::123 DNS and time.
        Self("fd00:ec2::/32", "AWS's services for instances", "cloud-init sources/DataSourceEc2.py", "2026-11"),
        Self(
            "fd20:ce::254/128", "Google Cloud's metadata service",
            "Google Cloud, Compute: metadata on IPv6-only instances", "2026-11"),
        Self(
            "fd00:c1::a9fe:a9fe/128", "Oracle Cloud's metadata service", "cloud-init sources/DataSourceOracle.py",
            "2026-11"),
        Self("fd00:42::42/128", "Scaleway's metadata service", "cloud-init sources/DataSourceScaleway.py", "2026-11"),
        Self("fd00:a9fe:a9fe::1/128", "Akamai's metadata service", "cloud-init sources/DataSourceAkamai.py", "2026-11"),
        Self(
            "fd00:100::100:200/128", "Alibaba Cloud's metadata service", "Alibaba Cloud, ECS: instance metadata",
            "2026-11"),
    ]
}
