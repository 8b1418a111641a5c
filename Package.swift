// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

#if compiler(>=6.4)
    #error(
        "CLinux/clinux_tasks.c declares a part of the runtime as Swift 6.3 has it: see that it holds, then raise this")
#endif

// The house has four wings, each a folder of Sources: Core imports only Core, Linux imports Core, Service imports both, Commands
// import Service. The imports of a target are in its entry here and nowhere else: the compiler checks that
// (--explicit-target-dependency-import-check error), and scripts/check holds the wings.

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableExperimentalFeature("Lifetimes"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

enum Wing: String {
    case core = "Core"
    case linux = "Linux"
    case service = "Service"
    case commands = "Commands"
    case tools = "Tools"
}

/// Where libnl's headers are on every system, below /usr/include; pkg-config would name the shared libraries as well.
let findingLibnl: [SwiftSetting] = [.unsafeFlags(["-Xcc", "-isystem", "-Xcc", "/usr/include/libnl3"])]

/// For rooms that run once in a run, and not for each packet or query: the optimiser takes three quarters of the time of their compilation
/// (docs/architecture.md, "Dependencies"). A module that is not optimised reads the C modules of all that it imports.
let cold: [SwiftSetting] = [.unsafeFlags(["-Onone"], .when(configuration: .release))] + findingLibnl

/// A target of a wing, with the tests of the same name; these see what the target sees, and `helpers`. Its `files` are embedded by
/// CTexts.
func room(
    _ name: String, in wing: Wing, isCold: Bool = false, on dependencies: [Target.Dependency] = [],
    files: [String] = [],
    testedWith helpers: [Target.Dependency] = [], notCompiled: [String] = [], finding headers: [SwiftSetting] = []
) -> [Target] {
    [
        .target(
            name: name, dependencies: dependencies, path: "Sources/\(wing.rawValue)/\(name)", exclude: files,
            swiftSettings: settings + headers + (isCold ? cold : [])),
        .testTarget(
            name: "\(name)Tests",
            dependencies: [.byName(name: name), "TestSupport", "TestPackets"] + dependencies + helpers,
            path: "Tests/\(wing.rawValue)/\(name)Tests", exclude: notCompiled,
            swiftSettings: settings + headers),
    ]
}

func executable(
    _ name: String, in wing: Wing, on dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: "Sources/\(wing.rawValue)/\(name)", exclude: exclude,
        swiftSettings: settings)
}

/// A target in C.
func inC(
    _ name: String, in wing: Wing, on dependencies: [Target.Dependency] = [], exclude: [String] = [],
    linkerSettings: [LinkerSetting]? = nil
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/\(wing.rawValue)/\(name)", exclude: exclude,
        linkerSettings: linkerSettings)
}

func product(_ name: String, of package: String) -> Target.Dependency { .product(name: name, package: package) }

let argumentParser = product("ArgumentParser", of: "swift-argument-parser")
let httpTypes = product("HTTPTypes", of: "swift-http-types")
let logging = product("Logging", of: "swift-log")
let nioCore = product("NIOCore", of: "swift-nio")
let nioEmbedded = product("NIOEmbedded", of: "swift-nio")
let nioHTTP1 = product("NIOHTTP1", of: "swift-nio")
let nioHTTP2 = product("NIOHTTP2", of: "swift-nio-http2")
let nioPosix = product("NIOPosix", of: "swift-nio")
let nioTLS = product("NIOTLS", of: "swift-nio")
let nioSSL = product("NIOSSL", of: "swift-nio-ssl")
let systemPackage = product("SystemPackage", of: "swift-system")

// No I/O, no clock, no randomness, no globals.
let core: [Target] =
    room("Text", in: .core, on: ["CTexts"])
    + room("Randomness", in: .core)
    + room("Digests", in: .core, on: ["CDigests"])
    + room("Wire", in: .core)
    + room("DNSWire", in: .core, on: ["Wire"], testedWith: ["Randomness"])
    + room("Translation", in: .core, on: ["Wire"])
    + room("NAT64", in: .core, on: ["Wire", "Randomness", "Translation"])
    + room("DNS64", in: .core, on: ["Wire", "DNSWire", "Translation", "Digests"], testedWith: ["Randomness"])
    + room(
        "Evidence", in: .core, on: ["Text", "Wire", "DNSWire", "Translation", "DNS64"], testedWith: ["EvidenceSupport"])
    + room("Topology", in: .core, on: ["Text", "Wire", "DNSWire", "Translation", "Evidence"])
    + room("Proxying", in: .core, on: ["Wire", "Evidence"])
    + room(
        "Router", in: .core,
        on: ["Wire", "DNSWire", "Randomness", "Translation", "NAT64", "Evidence", "Topology"])
    + room(
        "Scenarios", in: .core, isCold: true,
        on: ["Text", "Randomness", "Wire", "DNSWire", "Translation", "DNS64", "Topology", "ConfigurationText"],
        files: ["Questions"])
    + room(
        "Diagnosis", in: .core,
        on: ["Text", "Wire", "DNSWire", "Translation", "DNS64", "Evidence", "Topology"],
        testedWith: ["EvidenceSupport", "Reports", "SourceScan"])
    + room(
        "Origins", in: .core, on: ["Text", "Wire", "DNSWire", "Translation", "DNS64", "Evidence", "Executables"],
        testedWith: ["EvidenceSupport", "Randomness"])
    + room("TestResults", in: .core, isCold: true, on: ["Text", "CExpat"])
    + room(
        "Suites", in: .core, isCold: true,
        on: ["Text", "TestResults", "Wire", "DNSWire", "Translation", "Evidence", "Topology", "Diagnosis"],
        testedWith: ["DNS64", "EvidenceSupport", "Randomness"])
    + room(
        "Reports", in: .core, isCold: true,
        on: [
            "Text", "Wire", "DNSWire", "Translation", "DNS64", "Evidence", "Topology", "Diagnosis", "TestResults",
            "Suites", "SourceScan",
        ],
        testedWith: ["EvidenceSupport"])
    + room(
        "ConfigurationText", in: .core,
        on: [
            "Wire", "Text", "DNSWire", "Translation", "NAT64", "DNS64", "Evidence", "Topology", "Router", "TestResults",
            "Suites", "CYAML",
        ],
        testedWith: ["ConfigurationFiles"])
    + room(
        "RulePages", in: .core, on: ["Text", "Reports"], testedWith: ["Diagnosis"])
    + room("SourceScan", in: .core)
    + room("Executables", in: .core)
    + [
        // Linked as an archive (its module map), so that it is there at run time; pkg-config would name the shared library.
        .systemLibrary(name: "CYAML", path: "Sources/Core/CYAML", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "CExpat", path: "Sources/Core/CExpat", providers: [.apt(["libexpat1-dev"])]),
        .systemLibrary(name: "CDigests", path: "Sources/Core/CDigests", providers: [.apt(["libmd-dev"])]),
        // `shim` is no part of the module: scripts/build-shim makes the preloaded library of it.
        inC("CSynthesis", in: .core, exclude: ["shim"]),
        inC("CTexts", in: .core),
        .testTarget(
            name: "SynthesisTests", dependencies: ["CSynthesis", "Wire", "Translation", "Evidence", "TestSupport"],
            path: "Tests/Core/SynthesisTests", exclude: ["Helpers"], swiftSettings: settings),
    ]

// Every errno.
let linux: [Target] =
    [
        inC("CLinux", in: .linux),
        inC("CUnbound", in: .linux, linkerSettings: [.linkedLibrary("dl")]),
        inC("CDwfl", in: .linux, linkerSettings: [.linkedLibrary("dl")]),
        inC("CPcap", in: .linux, linkerSettings: [.linkedLibrary("dl")]),
        // Linked as archives, like those of Core.
        .systemLibrary(
            name: "CNetlink", path: "Sources/Linux/CNetlink", providers: [.apt(["libnl-route-3-dev", "libnl-3-dev"])]),
    ]
    + room("LinuxNet", in: .linux, on: ["Wire", "CLinux"])
    + room(
        "Netlink", in: .linux, on: ["Wire", "LinuxNet", "CNetlink"], testedWith: ["CLinux"],
        finding: findingLibnl)
    + room(
        "StackLines", in: .linux, on: ["Evidence", "CDwfl"], testedWith: ["CStoppedCall"], notCompiled: ["Programs"])
    + room("Capture", in: .linux, on: ["Wire", "LinuxNet", "CPcap"])
    + room(
        "CallTracing", in: .linux, on: ["Wire", "Evidence", "LinuxNet", "CLinux"],
        testedWith: ["CTracedChild", "EvidenceSupport", "Randomness"])
    + room(
        "Sandbox", in: .linux, on: ["Wire", "Topology", "LinuxNet", "Netlink", "CLinux"], testedWith: ["SandboxProbe"])
    + room("HostPorts", in: .linux, on: ["Wire", "Evidence", "LinuxNet", "Sandbox", "CLinux"])
    + room(
        "Uplink", in: .linux, on: ["Wire", "Translation", "Router", "Topology", "LinuxNet", "Netlink", "Sandbox"],
        testedWith: ["NetworkLab", "UplinkProbe"])

// Composition.
let service: [Target] =
    [
        .target(
            name: "HTTPServing",
            dependencies: [
                "Text", nioCore, nioPosix, nioTLS, nioHTTP1, nioHTTP2, httpTypes,
            ],
            path: "Sources/Service/HTTPServing", swiftSettings: settings)
    ]
    + [
        .target(
            name: "ConfigurationFiles", dependencies: ["ConfigurationText", systemPackage],
            path: "Sources/Service/ConfigurationFiles", swiftSettings: settings)
    ]
    + [inC("CCertificates", in: .service, on: [nioSSL])]
    + room(
        "World", in: .service,
        on: [
            "Wire", "Text", "DNSWire", "DNS64", "Evidence", "Topology", "Proxying", "ConfigurationText", "HTTPServing",
            "LinuxNet", "Sandbox", "Suites",
            nioCore, nioEmbedded, nioPosix, nioHTTP1, nioHTTP2, nioSSL, nioTLS, httpTypes, "CCertificates",
        ])
    + room(
        "StandaloneTranslator", in: .service,
        on: [
            "Text", "Wire", "Translation", "NAT64", "Router", "ConfigurationText", "LinuxNet", "Capture",
        ])
    + room(
        "RouterThread", in: .service,
        on: ["Wire", "Translation", "NAT64", "Topology", "Router", "Evidence", "LinuxNet", "Capture", "Uplink"],
        testedWith: ["CLinux", "Netlink"])
    + room(
        "AttachProtocol", in: .service, on: ["Wire", "Evidence", "Topology", "LinuxNet"],
        testedWith: ["DNSWire", "DNS64", "Translation", "EvidenceSupport"])
    + [
        // The conversation with a runner: the daemon's, and the runner's own with its confined process.
        .target(
            name: "AttachServer",
            dependencies: [
                "Text", "Wire", "NAT64", "Translation", "Router", "Evidence", "Topology", "LinuxNet", "Capture",
                "RouterThread",
                "Simulator", "AttachProtocol",
            ], path: "Sources/Service/AttachServer", swiftSettings: settings)
    ]
    + room(
        "DNSServer", in: .service,
        on: ["Wire", "DNSWire", "DNS64", "Evidence", "Topology", "LinuxNet", "CUnbound"],
        testedWith: ["Translation"])
    + room(
        "ScenarioClient", in: .service, on: ["Wire", "DNSWire", "DNS64", "Scenarios", "LinuxNet"],
        testedWith: ["DNSServer"])
    + room(
        "Simulator", in: .service,
        on: [
            "Wire", "Translation", "NAT64", "DNS64", "Router", "Evidence", "Topology", "ConfigurationText", "LinuxNet",
            "Sandbox", "Uplink", "World", "RouterThread", "DNSServer",
        ])
    + room(
        "Control", in: .service, isCold: true,
        on: [
            "Wire", "Text", "Reports", "Topology", "LinuxNet", "HTTPServing", nioCore, nioPosix, nioHTTP1, httpTypes,
        ],
        testedWith: ["DNSWire", "DNS64", "EvidenceSupport", "ConfigurationText", "Program"])
    + room(
        "CheckRunner", in: .service,
        on: [
            "DNSWire", "Wire", "Text", "Translation", "NAT64", "DNS64", "Evidence", "Topology", "ConfigurationText",
            "Diagnosis", "Executables", "Origins", "Reports", "RulePages", "CSynthesis", "LinuxNet",
            "ConfigurationFiles", "Sandbox",
            "CallTracing",
            "StackLines", "World", "AttachProtocol", "AttachServer", "RouterThread", "Simulator", "Router", "Uplink",
            "HostPorts",
        ], files: ["Frames/node-frames.cjs"], testedWith: ["EvidenceSupport"])
    + room("SourceWalk", in: .service, on: ["Text", "Wire", "SourceScan", "Executables", "LinuxNet"])
    + room(
        "SuiteRunner", in: .service, isCold: true,
        on: [
            "Wire", "Text", "DNSWire", "Evidence", "Topology", "ConfigurationText", "ConfigurationFiles", "Diagnosis",
            "TestResults", "Suites", "Reports", "RulePages", "LinuxNet", "Sandbox", "World", "CheckRunner", "Digests",
        ],
        files: ["Matrix", "Eyeballs/ladder.yaml", "Eyeballs/ladder-world.yaml"])
    + room(
        "Daemon", in: .service, isCold: true,
        on: [
            "Text", "Wire", "DNSWire", "DNS64", "NAT64", "Translation", "Evidence", "Topology", "Reports", "LinuxNet",
            "ConfigurationText", "ConfigurationFiles", "Sandbox", "Uplink", "World", "DNSServer", "Router",
            "RouterThread", "Diagnosis", "Suites",
            "Simulator", "AttachProtocol", "AttachServer",
            "Control", logging,
        ])

// `Terminal` is what both share of the command line. `Program` is both, by the name that it is called by.
let commands: [Target] =
    room(
        "Terminal", in: .commands, on: ["Text", "Diagnosis", "Reports", "Router", "ConfigurationText", argumentParser],
        testedWith: ["ipv6check", "CheckRunner"])
    + [
        .executableTarget(
            name: "Program", dependencies: ["ipv6check", "nat64sim"], path: "Sources/Commands/Program",
            swiftSettings: settings,
            // No library asks for our symbols: with their names goes a tenth of the executable. At a fixed address, as Go's programs are, it
            // starts without 110,000 relocations, each page of which would be a page fault; its heap, stacks and libraries move as ever
            // (docs/benchmarks.md).
            linkerSettings: [
                .unsafeFlags(
                    ["-Xlinker", "--no-export-dynamic", "-Xlinker", "--icf=safe", "-Xclang-linker", "-no-pie"],
                    .when(configuration: .release))
            ]),
        .target(
            name: "ipv6check",
            dependencies: [
                "Text", "Evidence", "Diagnosis", "Translation", "Topology", "Wire", "ConfigurationText", "Reports",
                "Suites", "LinuxNet", "Sandbox", "CheckRunner", "SuiteRunner", "RulePages", "Router", "SourceScan",
                "SourceWalk", "Terminal", argumentParser,
            ], path: "Sources/Commands/ipv6check", swiftSettings: settings),
        .target(
            name: "nat64sim",
            dependencies: [
                "Text", "StandaloneTranslator", "ConfigurationText", "ConfigurationFiles", "Wire", "Translation",
                "NAT64", "DNS64",
                "Scenarios", "Evidence", "Reports", "LinuxNet", "Sandbox", "DNSServer",
                "Topology", "ScenarioClient", "Simulator", "Control", "Daemon", "Diagnosis", "Suites", "Terminal",
                argumentParser,
            ], path: "Sources/Commands/nat64sim", swiftSettings: settings + cold),
        .testTarget(
            name: "EndToEndTests", dependencies: ["NetworkLab", "TestSupport", "SandboxProbe"], swiftSettings: settings),
    ]

// Tools of the project itself: scripts/bench and scripts/fuzz.
let tools: [Target] =
    [
        inC("CAllocations", in: .tools),
        inC("CDatagrams", in: .tools),
        inC("CFuzzer", in: .tools),
        executable(
            "Bench", in: .tools,
            on: [
                "CAllocations", "CDatagrams", "Text", "Randomness", "Wire", "DNSWire", "Translation", "NAT64", "DNS64",
                "Evidence",
                "Topology", "ConfigurationText", "LinuxNet", "Sandbox", "World", "DNSServer", "Simulator",
                "AttachProtocol",
                argumentParser,
                // scripts/bench makes programs of them that have no part of the Swift runtime.
            ], exclude: ["LeastRun", "LeastTranslator", "LeastResponder"]),
        .testTarget(
            name: "BenchTests", dependencies: ["Bench"], path: "Tests/Tools/BenchTests", swiftSettings: settings),
        executable("Fuzz", in: .tools, on: ["FuzzTargets", "CFuzzer"]),
        .target(
            name: "FuzzTargets",
            dependencies: [
                "Randomness", "Wire", "DNSWire", "Translation", "NAT64", "DNS64", "Evidence", "CSynthesis", "LinuxNet",
                "Capture", "ConfigurationText", "Executables", "StandaloneTranslator", "Origins", "Proxying", "Router",
                "SourceScan",
                "TestPackets", "Topology",
                "TestResults",
            ], path: "Sources/Tools/FuzzTargets", swiftSettings: settings),
        .testTarget(
            name: "FuzzTargetsTests",
            dependencies: ["FuzzTargets", "Translation", "Wire", "TestPackets", "TestSupport"],
            path: "Tests/Tools/FuzzTargetsTests", swiftSettings: settings),
    ]

// Code that several test targets share, and programs that they run.
let testSupport: [Target] = [
    // Packets made and taken apart slowly and obviously; the fuzzer uses them too.
    .target(name: "TestPackets", dependencies: ["Wire"], path: "Tests/Support/TestPackets", swiftSettings: settings),
    .target(
        name: "TestSupport", dependencies: ["LinuxNet", "CLinux"], path: "Tests/Support/TestSupport",
        swiftSettings: settings),
    // Pieces of evidence, short to write.
    .target(
        name: "EvidenceSupport", dependencies: ["Wire", "DNSWire", "Translation", "DNS64", "Evidence"],
        path: "Tests/Support/EvidenceSupport", swiftSettings: settings),
    // A host on a network of its own, for the tests of the uplink.
    .target(
        name: "NetworkLab", dependencies: ["TestSupport"], path: "Tests/Support/NetworkLab", swiftSettings: settings),
    .target(name: "CSystemCall", path: "Tests/Support/CSystemCall"),
    .target(name: "CStoppedCall", path: "Tests/Support/CStoppedCall"),
    .target(name: "CTracedChild", dependencies: ["CLinux"], path: "Tests/Support/CTracedChild"),
    .executableTarget(
        name: "SandboxProbe",
        dependencies: ["Wire", "Topology", "LinuxNet", "Sandbox", "CLinux", "CSystemCall"],
        path: "Tests/Support/SandboxProbe",
        swiftSettings: settings),
    .executableTarget(
        name: "UplinkProbe", dependencies: ["Wire", "Topology", "Router", "LinuxNet", "Sandbox", "Uplink"],
        path: "Tests/Support/UplinkProbe", swiftSettings: settings),
]

let package = Package(
    name: "ipv6check",
    // As `nat64sim` it is called by a link (scripts/install).
    products: [.executable(name: "ipv6check", targets: ["Program"])],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        .package(url: "https://github.com/apple/swift-nio-http2", exact: "1.46.0"),
        // Dependencies of these, at the versions that were tested.
        .package(url: "https://github.com/apple/swift-asn1.git", exact: "1.7.4"),
        .package(url: "https://github.com/apple/swift-atomics.git", exact: "1.3.0"),
        .package(url: "https://github.com/apple/swift-certificates.git", exact: "1.21.1"),
        .package(url: "https://github.com/apple/swift-collections.git", exact: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto.git", exact: "4.5.2"),
    ],
    targets: core + linux + service + commands + tools + testSupport
)
