// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser

/// The options of the simulated world: the same for a run of `ipv6check` and for a daemon, whose configuration they override.
package struct WorldOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The Pref64: an RFC 6052 prefix of length 32, 40, 48, 56, 64 or 96.", valueName: "prefix"))
    package var prefix: String?

    @OptionGroup package var file: WorldFileOption

    @Option(
        help: ArgumentHelp(
            "Inject a DNS fault (repeatable): [NAME] [TYPE] [udp|tcp] [NUMBERS] EFFECT, such as 'shop.test AAAA drop'.",
            valueName: "fault"))
    package var dnsFault: [String] = []

    package init() {}
}
