/// Every rule, the likeliest cause first.
public enum Catalogue {
    public static let all: [Rule] = [
        .cutsAddressAtColon, .literalAddress, .asksForIPv4Only, .ignoresIPv6Answer, .noAnswer, .refusedByTranslator,
        .nameHasNoAddress, .nothingAttempted,
    ]
}
