/// Every rule, the likeliest cause first.
package enum Catalogue {
    package static let all: [Rule] = [
        .cutsAddressAtColon, .nonGlobalAddress, .literalAddress, .usesIPv4Hint, .asksForIPv4Only, .ignoresIPv6Answer,
        .waitsForConnection, .noAnswer, .refusedByTranslator, .exceedsLimit, .nameOutsideWorld, .nameHasNoAddress,
        .nothingAttempted, .passesBySynthesis,
    ]
}
