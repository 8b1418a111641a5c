/// Every rule, the likeliest cause first: so findings of one severity are told.
package enum Catalogue {
    package static let all: [Rule] = [
        .cutsAddressAtColon,
        .nonGlobalAddress,
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
    ]
}
