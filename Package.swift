// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableExperimentalFeature("Lifetimes"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

/// A target of the house, with the tests of the same name.
func room(
    _ name: String, on dependencies: [Target.Dependency], resources: [Resource]? = nil,
    testedWith helpers: [Target.Dependency] = [], tests: String? = nil
) -> [Target] {
    [
        .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: settings),
        .testTarget(
            name: tests ?? "\(name)Tests", dependencies: [.byName(name: name)] + dependencies + helpers,
            swiftSettings: settings),
    ]
}

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

// The rows of the house, from the ground up; a target depends only on rows below its own.
let formats = room("Text", on: []) + room("Wire", on: []) + room("DNSWire", on: ["Wire"])
let protocols =
    room("Translation", on: ["Wire"])
    + room("NAT64", on: ["Wire", "Translation"])
    + room("DNS64", on: ["Wire", "DNSWire", "Translation", .product(name: "Crypto", package: "swift-crypto")])
    + room("Scenarios", on: ["Wire", "DNSWire", "Translation", "DNS64"])
    + room("Findings", on: ["Wire"])
    + room("Reports", on: ["Wire", "Findings"])
    + [
        // `shim` is no part of the module: scripts/build-shim makes the preloaded library of it.
        .target(name: "CSynthesis", exclude: ["shim"]),
        .testTarget(
            name: "SynthesisTests", dependencies: ["CSynthesis", "Wire", "Findings"], exclude: ["Helpers"],
            swiftSettings: settings),
    ]
let linuxEdge =
    [
        Target.target(name: "CLinux"),
        .target(name: "CUnbound", linkerSettings: [.linkedLibrary("dl")]),
        .systemLibrary(
            name: "CNetlink", pkgConfig: "libnl-route-3.0", providers: [.apt(["libnl-route-3-dev", "libnl-3-dev"])]),
        .systemLibrary(name: "CPcap", pkgConfig: "libpcap", providers: [.apt(["libpcap-dev"])]),
    ]
    + room("LinuxNet", on: ["Wire", "CLinux"])
    + room("Netlink", on: ["Wire", "LinuxNet", "CLinux", "CNetlink"])
    + room("Capture", on: ["Wire", "LinuxNet", "CPcap"])
    + room("YAMLFile", on: ["Wire", "Text", "Yams", .product(name: "SystemPackage", package: "swift-system")])
    + [
        .target(
            name: "HTTPServing",
            dependencies: [
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
            ],
            swiftSettings: settings)
    ]
    + room("Sandbox", on: ["Wire", "LinuxNet", "Netlink", "CLinux"], testedWith: ["SandboxProbe"])
    + room(
        "Uplink", on: ["Wire", "Translation", "LinuxNet", "Netlink", "Sandbox"],
        testedWith: ["NetworkLab", "UplinkProbe"])
    + [
        // A host on a network of its own, for the tests of the uplink.
        .target(name: "NetworkLab", path: "Tests/NetworkLab", swiftSettings: settings),
        .executableTarget(
            name: "UplinkProbe", dependencies: ["Wire", "LinuxNet", "Sandbox", "Uplink"], path: "Tests/UplinkProbe",
            swiftSettings: settings),
        .executableTarget(
            name: "SandboxProbe", dependencies: ["Wire", "LinuxNet", "Sandbox"], path: "Tests/SandboxProbe",
            swiftSettings: settings),
    ]
let composition =
    room(
        "World",
        on: [
            "Wire", "Text", "DNSWire", "Translation", "DNS64", "YAMLFile", "HTTPServing", "LinuxNet", "Sandbox",
            .product(name: "Logging", package: "swift-log"),
            .product(name: "NIOCore", package: "swift-nio"),
            .product(name: "NIOPosix", package: "swift-nio"),
            .product(name: "NIOHTTP1", package: "swift-nio"),
            .product(name: "NIOSSL", package: "swift-nio-ssl"),
            .product(name: "HTTPTypes", package: "swift-http-types"),
            .product(name: "Hummingbird", package: "hummingbird"),
            .product(name: "HummingbirdCore", package: "hummingbird"),
            .product(name: "HummingbirdTLS", package: "hummingbird"),
            .product(name: "X509", package: "swift-certificates"),
            .product(name: "Crypto", package: "swift-crypto"),
            .product(name: "SwiftASN1", package: "swift-asn1"),
            .product(name: "SystemPackage", package: "swift-system"),
        ],
        resources: [.embedInCode("demo.yaml")])
    + room(
        "Gateway",
        on: [
            "Wire", "Text", "Translation", "NAT64", "LinuxNet", "Capture", "YAMLFile",
            .product(name: "SystemPackage", package: "swift-system"),
        ])
    + room("Attach", on: ["Wire", "Findings", "LinuxNet"])
    + room(
        "Simulator",
        on: [
            "Wire", "DNSWire", "Translation", "NAT64", "DNS64", "Scenarios", "Findings", "LinuxNet", "Netlink",
            "Capture", "Sandbox", "Uplink", "World", "CUnbound",
        ], testedWith: ["CLinux"])
    + room(
        "Control",
        on: [
            "LinuxNet", "HTTPServing",
            .product(name: "Logging", package: "swift-log"),
            .product(name: "NIOCore", package: "swift-nio"),
            .product(name: "NIOPosix", package: "swift-nio"),
            .product(name: "NIOHTTP1", package: "swift-nio"),
            .product(name: "HTTPTypes", package: "swift-http-types"),
            .product(name: "Hummingbird", package: "hummingbird"),
        ],
        resources: [.embedInCode("openapi.yaml")], testedWith: ["Yams", "nat64sim"])
    + room(
        "CheckRunner",
        on: [
            "Wire", "Text", "Translation", "NAT64", "DNS64", "Findings", "Reports", "CSynthesis", "LinuxNet", "Capture",
            "Sandbox", "World", "Attach", "Simulator",
        ])
    + room(
        "Daemon",
        on: [
            "Wire", "DNS64", "NAT64", "Translation", "Findings", "Reports", "LinuxNet", "Capture", "YAMLFile",
            "Sandbox", "Uplink",
            "World", "Gateway", "Simulator", "Attach", "Control", .product(name: "Logging", package: "swift-log"),
        ])
// What both commands share of the command line and the terminal.
let terminal = room("Terminal", on: ["Text", "Reports", argumentParser], testedWith: ["ipv6check"])
let executables: [Target] = [
    .executableTarget(
        name: "ipv6check",
        dependencies: [
            "Findings", "Translation", "Wire", "Reports", "Sandbox", "CheckRunner", "Terminal", argumentParser,
        ],
        swiftSettings: settings),
    .executableTarget(
        name: "nat64sim",
        dependencies: [
            "Gateway", "YAMLFile", "Wire", "Translation", "NAT64", "DNS64", "Scenarios", "Findings", "Reports",
            "LinuxNet", "Sandbox", "Uplink", "World", "Simulator", "Control", "Daemon", "Terminal", argumentParser,
        ],
        swiftSettings: settings),
    .testTarget(name: "EndToEndTests", dependencies: ["NetworkLab"], swiftSettings: settings),
]

// Tools of the project itself: scripts/bench and scripts/fuzz.
let tools: [Target] =
    [
        .target(name: "CAllocations"),
        .target(name: "CDatagrams"),
        .executableTarget(
            name: "Bench",
            dependencies: [
                "CAllocations", "CDatagrams", "Wire", "DNSWire", "Translation", "NAT64", "DNS64", "Findings",
                "LinuxNet", "Sandbox",
                "World", "Simulator",
                argumentParser,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "BenchTests", dependencies: ["Bench", "CAllocations", "Wire", "NAT64"], swiftSettings: settings),
        .target(name: "CFuzzer"),
        .executableTarget(name: "Fuzz", dependencies: ["FuzzTargets", "CFuzzer"], swiftSettings: settings),
    ]
    + room(
        "FuzzTargets",
        on: [
            "Wire", "DNSWire", "Translation", "NAT64", "DNS64", "Findings", "CSynthesis", "LinuxNet", "Capture",
            "YAMLFile", "Gateway",
        ], tests: "FuzzTests")

let package = Package(
    name: "ipv6check",
    products: [
        .executable(name: "ipv6check", targets: ["ipv6check"]),
        .executable(name: "nat64sim", targets: ["nat64sim"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    ],
    targets: formats + protocols + linuxEdge + composition + terminal + executables + tools
)
