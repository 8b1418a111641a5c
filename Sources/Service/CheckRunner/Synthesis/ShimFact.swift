// SPDX-License-Identifier: Apache-2.0
package import Sandbox

extension MachineFact {
    /// The line of `ipv6check doctor` about literal synthesis: whether the preloaded libraries of this installation are there and usable.
    package static var literalSynthesis: MachineFact {
        let name = "literals"
        let library: ShimLibrary
        switch ShimLibrary.find(for: .glibc) {
        case .found(let found): library = found
        case .distrusted(let reason):
            return MachineFact(name, .note, "no synthesis: the library for it is not used: \(reason)")
        case .missing:
            return MachineFact(
                name, .note,
                "no synthesis: the library for it is not beside ipv6check, and clients run as on plain Linux",
                remedy: CLibrary.glibc.remedy)
        }
        if let error = library.loadingError {
            return MachineFact(
                name, .note, "no synthesis: the library for it cannot be loaded: \(error)",
                remedy: "rm \(library.path)" + (CLibrary.glibc.remedy.map { ", then \($0)" } ?? ""))
        }
        let glibcAlone = "synthesised for programs that use glibc; not for those that use musl"
        return switch ShimLibrary.find(for: .musl) {
        case .found: MachineFact(name, .good, "synthesised for programs that use glibc or musl")
        case .distrusted(let reason):
            MachineFact(name, .note, "\(glibcAlone): the library for it is not used: \(reason)")
        case .missing: MachineFact(name, .good, glibcAlone, remedy: CLibrary.musl.remedy)
        }
    }
}

extension CLibrary {
    /// How to get the preloaded library for programs with this C library: the build script in a checkout, otherwise a new installation.
    /// `nil` for musl in an installation, which may come without that library.
    var remedy: String? {
        switch (self, Installation.script("build-shim")) {
        case (.glibc, let script?): script
        case (.glibc, nil): "install ipv6check again, with lib/ipv6check beside bin"
        case (.musl, let script?): "\(Toolbox.machine.package("musl-tools")), then \(script)"
        case (.musl, nil): nil
        }
    }
}
