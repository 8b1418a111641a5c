/// Every rule, the likeliest cause first: so findings of one severity are told.
package enum Catalogue {
    package static let all: [Rule] = [
        .cutsAddressAtColon,
        .nonGlobalAddress,
        .cannotReadNameServer,
        .asksOwnResolver,
        .asksCloudMetadata,
        .usesAddressOfPASV,
        .findsByIPv4Multicast,
        .probesIPv4Host,
        .learnsAddressByIPv4,
        .looksForIPv4Interface,
        .refusesSynthesisedAddress,
        .literalAddress,
        .usesIPv4Hint,
        .asksForIPv4Only,
        .ignoresIPv6Answer,
        .waitsForConnection,
        .noAnswer,
        .untranslatable,
        .exceedsLimit,
        .nameOutsideWorld,
        .nameHasNoAddress,
        .nothingAttempted,
        .passesBySynthesis,
        .reachesPrivateHost,
    ]
}
