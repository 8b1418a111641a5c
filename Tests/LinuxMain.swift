// SPDX-License-Identifier: Apache-2.0
import Testing

@main enum Tests {
    static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
