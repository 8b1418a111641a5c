// SPDX-License-Identifier: Apache-2.0
import Testing

/// In place of the one that SwiftPM makes of the compilers' index: that takes half of the time of a build, and all tests here are Swift Testing's.
@main enum Tests {
    static func main() async {
        // `swift test` runs it for XCTest, too, without this option.
        guard CommandLine.arguments.contains("swift-testing") else { return }
        await Testing.__swiftPMEntryPoint() as Never
    }
}
