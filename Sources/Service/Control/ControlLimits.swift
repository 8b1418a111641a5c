/// The bounds of everything that a client of the control API can make the daemon hold.
public enum ControlLimits {
    /// The longest fault or prefix, in octets.
    public static let longestText = 4096
    /// Entries of a table in one response, and lines of the DNS log.
    public static let mostEntries = 10_000
    /// Entries where the request does not say how many.
    public static let usualEntries = 1_000
}
