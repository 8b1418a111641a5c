/// The translators that are compared, each with its client namespace; the world is the same for both.
final class Translators {
    let simulated: SimulatedPlace
    let tayga: TaygaPlace

    /// Moves the process into a network namespace, for good: there is one such value.
    init() throws(BenchFailure) {
        simulated = try SimulatedPlace(Entry.inheritance)
        tayga = try TaygaPlace()
    }

    deinit { simulated.stop() }
}
