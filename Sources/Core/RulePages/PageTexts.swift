// Made by scripts/rule-pages.

/// The octets of each page, by the number of its rule.
let pageTexts: [String: [UInt8]] = [
    "V6C-001": PackageResources.V6C_001_md,
    "V6C-002": PackageResources.V6C_002_md,
    "V6C-003": PackageResources.V6C_003_md,
    "V6C-004": PackageResources.V6C_004_md,
    "V6C-005": PackageResources.V6C_005_md,
    "V6C-006": PackageResources.V6C_006_md,
    "V6C-007": PackageResources.V6C_007_md,
    "V6C-008": PackageResources.V6C_008_md,
    "V6C-009": PackageResources.V6C_009_md,
    "V6C-010": PackageResources.V6C_010_md,
    "V6C-011": PackageResources.V6C_011_md,
    "V6C-012": PackageResources.V6C_012_md,
    "V6C-013": PackageResources.V6C_013_md,
    "V6C-014": PackageResources.V6C_014_md,
    "V6C-060": PackageResources.V6C_060_md,
    "V6C-061": PackageResources.V6C_061_md,
    "V6C-062": PackageResources.V6C_062_md,
]
