import Testing

@main enum Tests {
    static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
