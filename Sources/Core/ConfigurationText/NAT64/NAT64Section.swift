// SPDX-License-Identifier: Apache-2.0
import NAT64
import Translation
import Wire

/// The `nat64` section: all settings of the translator. The keys are read in this order: the mode decides which of them have a meaning.
extension NAT64SectionReader {
    mutating func readNAT64(_ section: YAMLNode) {
        self.section(
            section, "nat64", example: "nat64: { mode: stateful }",
            [
                Key("mode") {
                    let mode = $0.choice(
                        $1, "mode", [("stateful", TranslatorConfiguration.Mode.stateful), ("stateless", .stateless)])
                    $0.set(\.mode, mode)
                    $0.isModeKnown = mode != nil
                },
                Key("seed") { reader, node in
                    if let seed = reader.number(node, "seed", in: 0...Int.max) {
                        reader.configuration.seed = UInt64(seed)
                    }
                },
            ] + Self.addressKeys + Self.stateKeys + Self.translationKeys
                + [
                    Key("errors") { $0.readErrors($1) },
                    Key("faults") { $0.readFaults($1) },
                ])
    }

    private static var stateKeys: [Key] {
        [
            Key("filtering", only: .stateful) {
                $0.set(
                    \.nat64.filtering,
                    $0.choice(
                        $1, "filtering",
                        [("endpoint-independent", .endpointIndependent), ("address-dependent", .addressDependent)]))
            },
            Key("pooling", only: .stateful) {
                $0.set(
                    \.nat64.pooling,
                    $0.choice($1, "pooling", [("paired", .paired), ("paired-where-possible", .pairedWherePossible)]))
            },
            Key("preserve-port-parity", only: .stateful) {
                $0.set(\.nat64.preservesPortParity, $0.flag($1, "preserve-port-parity"))
            },
            Key("refuse-ipv4-initiated-tcp", only: .stateful) {
                $0.set(\.nat64.refusesIPv4InitiatedTCP, $0.flag($1, "refuse-ipv4-initiated-tcp"))
            },
            Key("probe-idle-connections", only: .stateful) {
                $0.set(\.nat64.probesIdleConnections, $0.flag($1, "probe-idle-connections"))
            },
            Key("refresh-from-ipv4", only: .stateful) {
                $0.set(\.nat64.refreshesFromIPv4, $0.flag($1, "refresh-from-ipv4"))
            },
            Key("udp-zero-checksum-fragments", only: .stateful) {
                $0.set(
                    \.nat64.zeroChecksumFragments,
                    $0.choice($1, "udp-zero-checksum-fragments", [("reassemble", .reassemble), ("drop", .drop)]))
            },
            Key("time-outs", only: .stateful) { $0.readTimeOuts($1) },
            Key("limits", only: .stateful) { $0.readLimits($1) },
        ]
    }

    private static var translationKeys: [Key] {
        let handling = [("copy", false), ("zero", true)]
        return [
            Key("ipv6-mtu") { $0.set(\.nat64.translation.ipv6MTU, $0.number($1, "ipv6-mtu", in: 1280...65_535)) },
            Key("ipv4-mtu") { $0.set(\.nat64.translation.ipv4MTU, $0.number($1, "ipv4-mtu", in: 68...65_535)) },
            Key("lowest-ipv6-mtu") {
                $0.set(\.nat64.translation.lowestIPv6MTU, $0.number($1, "lowest-ipv6-mtu", in: 1280...65_535))
            },
            Key("traffic-class") {
                $0.set(\.nat64.translation.zeroesTrafficClass, $0.choice($1, "traffic-class", handling))
            },
            Key("tos") { $0.set(\.nat64.translation.zeroesTOS, $0.choice($1, "tos", handling)) },
            Key("udp-zero-checksum") {
                $0.set(
                    \.nat64.translation.udpZeroChecksum,
                    $0.choice($1, "udp-zero-checksum", [("compute", .compute), ("drop", .drop)]))
            },
            Key("plateaus") { $0.set(\.nat64.translation.usesPlateaus, $0.flag($1, "plateaus")) },
        ]
    }
}
