import Testing

@Suite("Scenarios")
struct ScenarioTests {
    @Test("every exchange goes as its scenario says", arguments: try ScenarioFile.all())
    func plays(file: ScenarioFile) throws {
        var runner = try ScenarioRunner(file)
        try runner.run()
    }

    @Test("a scenario that expects something else fails, with file and line")
    func failing() throws {
        let text = """
            network:
                prefix 64:ff9b::/96
            world:
                shop.test. A 198.51.100.10
            query: shop.test A
            reply: NOERROR qr rd ra
                shop.test. A 198.51.100.11
            """
        var runner = try ScenarioRunner(ScenarioFile(name: "wrong.scenario", text: text))
        let failure = try #require(throws: ScenarioFile.Failure.self) { try runner.run() }
        #expect(failure.description.hasPrefix("wrong.scenario:6: the section is different"))
    }
}
