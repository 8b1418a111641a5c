// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
package import Evidence
import Executables
package import Translation
package import Wire

/// Finds the origins of the addresses that a client used.
///
/// The runner passes in everything that the client may have read, one item after the other; DNS answers and command lines come from the
/// evidence. The origin of an address is the first place that certainly contains it, in this order: the client's own command line, variables
/// that the program names, DNS answers, then files, payloads and other command lines by their time, files of libraries, data of programs, and
/// other variables; if no place certainly contains it, the first that may.
///
/// An answer that arrived after the call is no origin of its address: no name server had been asked by then. If a file or a program
/// contains as text an address that the DNS returned as well, that is probably the origin if the client went to the name by IPv6, as it then
/// looked the name up for that, or if the line is in the call's stack. Otherwise it may be a comment, or a default that was overridden.
package struct OriginFinder: Sendable {
    private struct Source {
        enum Rank: Int {
            case command, environment, answer, file, library, data, unnamedVariable
        }

        var rank: Rank
        var time: Duration
        var origins: [IPAddress: AddressOrigin]
        /// Whether the octets are meant as an address: a JSON value is, but four numbers in a page need not be.
        var isMeant = false
        /// The lines of a text that contain each address, without comments.
        var lines: [IPAddress: [Int]] = [:]

        /// Whether it is an AAAA record.
        var isOfIPv6Answer: Bool {
            if case .answer(_, .aaaa)? = origins.values.first?.place { true } else { false }
        }

        /// - Parameter frames: those whose lines take precedence, if they contain the address, too.
        func origin(of address: IPAddress, at frames: [StackFrame]) -> AddressOrigin? {
            guard var origin = origins[address], case .file(let path, _) = origin.place, lines[address] != nil
            else { return origins[address] }
            if let line = line(of: address, among: frames) { origin.place = .file(path: path, line: line) }
            return origin
        }

        /// The line of the first frame that contains the address; `nil` if none does, or if it is no text.
        func line(of address: IPAddress, among frames: [StackFrame]) -> Int? {
            guard case .file(let path, let first)? = origins[address]?.place else { return nil }
            let lines = lines[address] ?? [first].compactMap(\.self)
            return frames.first { frame in
                guard let file = frame.file, let line = frame.line else { return false }
                return lines.contains(line) && (path == file || path.hasSuffix("/\(file)"))
            }?.line
        }

        /// The variable that it is.
        var variable: String? {
            if rank == .environment, case .environment(let name)? = origins.values.first?.place { name } else { nil }
        }
    }

    let sought: SoughtAddresses
    let search: AddressSearch
    private var sources: [Source] = []
    private var variables = NamedVariables()
    private let commandLines: [String]
    /// IPv4 addresses of names to which the client went by IPv6.
    private let ofReachedNames: Set<IPAddress>

    /// `nil` if there is no address to look for.
    /// - Parameter prefixes: the NAT64's.
    package init?(_ run: RunEvidence, prefixes: [Pref64]) {
        let called = (run.calls?.calls ?? []).filter { !$0.bindsToAnyAddress }.compactMap(\.address?.ip)
        let literals = run.lookups.compactMap(\.literal).map(IPAddress.ipv4)
        sought = SoughtAddresses(called + literals, under: prefixes)
        if sought.all.isEmpty { return nil }
        search = AddressSearch(sought)
        let attempts = (run.calls?.attempts ?? []).compactMap(\.address?.ip)
        let used = Set(attempts).union(run.seen.flows.map(\.remote))
        let reached = Set(
            run.seen.questions.filter { $0.addresses.contains { !$0.isOfIPv4 && used.contains($0) } }.map(
                \.question.name))
        ofReachedNames = Set(
            run.seen.questions.filter { reached.contains($0.question.name) }
                .flatMap { $0.addresses + $0.first.synthesisedFrom.map(IPAddress.ipv4) })
        let programs = run.calls?.programs ?? []
        commandLines = programs.flatMap(\.arguments)
        // A program that the client executed in place of itself, as by scripts that choose a version, has the user's arguments in their
        // positions.
        for program in programs.reversed() where program.process == programs[0].process {
            addArguments(of: program, isClient: true)
        }
        for program in programs where program.process != programs[0].process {
            addArguments(of: program, isClient: false)
        }
        let asked = run.calls?.firstQuestion ?? .zero
        for query in run.seen.queries.queries { addAnswers(query, at: asked) }
    }

    /// A variable that the client was given.
    package mutating func search(variable name: String, value: [UInt8]) {
        let hits = search.hits(in: value.span, as: .text)
        if hits.isEmpty { return }
        add(.environment, hits) { _ in .environment(variable: name) }
        variables.add(name)
        for text in commandLines { variables.look(in: text.utf8.span) }
    }

    /// - Parameters:
    ///   - path: absolute.
    ///   - time: when it was opened, relative to the client's start.
    package mutating func search(file octets: [UInt8], path: String, openedAt time: Duration) {
        // A library's documentation has addresses, too.
        let rank = StackFrame(file: path).isOfLibrary ? Source.Rank.library : .file
        if LoadedSegments(octets) != nil { return search(module: octets, path: path) }
        variables.look(in: octets.span)
        if octets.prefix(Self.head).contains(0) {
            add(rank, at: time, search.hits(in: octets.span, as: .data)) { _ in .file(path: path, line: nil) }
        } else {
            let hits = search.hits(in: octets.span, as: .text)
            if hits.isEmpty { return }
            let lines = lines(in: octets, without: Self.commentsOfText)
            let origins = hits.map { address, hit in
                let line = lines[address]?.first
                // A comment tells what is not used, or no longer.
                return (
                    address,
                    AddressOrigin(.file(path: path, line: line ?? hit.line), isCertain: hit.isCertain && line != nil)
                )
            }
            sources.append(
                Source(rank: rank, time: time, origins: Dictionary(uniqueKeysWithValues: origins), lines: lines))
        }
    }

    /// - Parameter octets: an executable or a library; other files (scripts) are searched as a whole.
    package mutating func search(module octets: [UInt8], path: String) {
        variables.look(in: octets.span)
        for range in LoadedSegments(octets)?.ranges ?? [0..<octets.count] {
            add(.data, search.hits(in: octets.span.extracting(range), as: .data)) { _ in .data(module: path) }
        }
    }

    /// The places of addresses.
    var places: some Sequence<AddressOrigin.Place> { sources.lazy.flatMap(\.origins.values).map(\.place) }

    /// Whether any place of an address is known.
    func isFound(_ address: IPAddress) -> Bool { sources.contains { $0.origins[address] != nil } }

    /// Whether the origin of an address, in any of its forms, is still unknown.
    package func lacksOrigin(of address: IPAddress) -> Bool {
        let forms = sought.forms(of: address)
        return forms.contains(where: sought.contains) && !forms.contains(where: isFound)
    }

    mutating func add(data origin: AddressOrigin, of address: IPAddress) {
        sources.append(Source(rank: .data, time: .zero, origins: [address: origin]))
    }

    /// Replaces places by better ones.
    mutating func replaceOrigins(at places: [AddressOrigin.Place], by better: (IPAddress) -> AddressOrigin?) {
        for index in sources.indices {
            for (address, origin) in sources[index].origins where places.contains(origin.place) {
                if let origin = better(address) { sources[index].origins[address] = origin }
            }
        }
    }

    /// The number of first octets in which a NUL shows that a file is no text.
    private static let head = 8192

    private mutating func addArguments(of program: TracedProgram, isClient: Bool) {
        for (index, argument) in program.arguments.enumerated() {
            add(
                isClient ? .command : .file, at: isClient ? .zero : program.start,
                search.hits(in: argument.utf8.span, as: .text)
            ) { _ in
                program.place(ofArgument: index)
            }
        }
    }

    private mutating func addAnswers(_ query: QueryRecord, at time: Duration) {
        guard let question = query.question else { return }
        var origins: [IPAddress: AddressOrigin] = [:]
        for record in query.answer {
            if record.data.type == .txt {
                let hits = search.hits(in: "\(record.data)".utf8.span, as: .text)
                for (address, hit) in hits where hit.isCertain && origins[address] == nil {
                    origins[address] = AddressOrigin(.answer(question.name, .txt))
                }
            }
            let addresses = (record.data.address.map { [$0] } ?? []) + record.data.ipv4Hints.map(IPAddress.ipv4)
            for address in addresses where sought.contains(address) && origins[address] == nil {
                origins[address] = AddressOrigin(.answer(question.name, record.data.type))
            }
        }
        if !origins.isEmpty { sources.append(Source(rank: .answer, time: time, origins: origins)) }
    }

    private mutating func add(
        _ rank: Source.Rank, at time: Duration = .zero, _ hits: [IPAddress: AddressSearch.Hit],
        _ place: (AddressSearch.Hit) -> AddressOrigin.Place
    ) {
        if hits.isEmpty { return }
        sources.append(
            Source(
                rank: rank, time: time,
                origins: hits.mapValues { AddressOrigin(place($0), isCertain: $0.isCertain) }))
    }

    /// Data that a host sent by then, which counts like a file opened at that time.
    mutating func add(received origin: AddressOrigin, of address: IPAddress, at time: Duration) {
        guard sources.count < Self.sourceLimit else { return }
        sources.append(Source(rank: .file, time: time, origins: [address: origin], isMeant: origin.isMeant))
    }

    /// Limits the places, as hosts may send one address in very many.
    private static let sourceLimit = 4096

    // MARK: - Answers

    /// Adds the origins to the calls and the lookups.
    package func complete(_ run: inout RunEvidence) {
        func place(_ source: (offset: Int, element: Source)) -> (Int, Duration, Int) {
            let variable = source.element.variable
            let rank = variable.map(variables.seen.contains) == false ? .unnamedVariable : source.element.rank
            return (rank.rawValue, source.element.time, source.offset)
        }
        let ordered = sources.enumerated().sorted { place($0) < place($1) }.map(\.element)
        if var calls = run.calls {
            for index in calls.calls.indices {
                guard let address = calls.calls[index].address?.ip else { continue }
                let call = calls.calls[index]
                calls.calls[index].origin = origin(of: address, before: call.time, at: call.frames, ordered)
            }
            run.calls = calls
        }
        // A program that gives an IPv4 address to getaddrinfo as text does not have it from an IPv6 address, which it could use.
        let written = ordered.filter { !$0.isOfIPv6Answer }
        for index in run.lookups.indices {
            guard let literal = run.lookups[index].literal else { continue }
            let site = run.lookups[index].site
            let frame = StackFrame(file: site.file, line: site.line)
            run.lookups[index].origin = origin(of: .ipv4(literal), before: run.duration, at: [frame], written)
        }
    }

    /// - Parameter frames: the call's own: their lines take precedence over others of their files.
    private func origin(
        of address: IPAddress, before time: Duration, at frames: [StackFrame], _ sources: [Source]
    ) -> AddressOrigin? {
        let forms = sought.forms(of: address)
        var likely: AddressOrigin?
        // A host may send an address that is in the DNS as well: a client that reads it there need not have it from the DNS.
        let isSent = sources.contains { source in
            source.isMeant && source.time <= time && forms.contains { source.origins[$0] != nil }
        }
        for source in sources where source.time <= time && !(isSent && source.rank == .answer) {
            for form in forms {
                guard let origin = source.origin(of: form, at: frames) else { continue }
                guard origin.isCertain else {
                    if likely == nil { likely = origin }
                    continue
                }
                guard source.rank == .answer else { return origin }
                if address.isOfIPv4 {
                    let isMeant =
                        forms.contains(where: ofReachedNames.contains) || areWritten(forms, on: frames, sources)
                    return (isMeant ? written(forms, before: time, sources) : nil) ?? origin
                }
                // A synthesised address has its own record, which may have come after the IPv4 address's.
                let own = sources.first { $0.rank == .answer && $0.time <= time && $0.origins[address] != nil }
                return own?.origins[address] ?? origin
            }
        }
        return likely
    }

    /// Whether a line of the call's stack contains the address.
    private func areWritten(_ forms: [IPAddress], on frames: [StackFrame], _ sources: [Source]) -> Bool {
        sources.contains { source in forms.contains { source.line(of: $0, among: frames) != nil } }
    }

    /// The place of an address that is text in a file or a program.
    private func written(_ forms: [IPAddress], before time: Duration, _ sources: [Source]) -> AddressOrigin? {
        for source in sources where source.time <= time {
            for origin in forms.compactMap({ source.origins[$0] }) where origin.isCertain {
                switch origin.place {
                case .file, .data: return AddressOrigin(origin.place, isCertain: false)
                case .argument, .command, .environment, .answer, .payload: continue
                }
            }
        }
        return nil
    }
}

extension TracedCall {
    /// Whether a socket is bound to no address in particular, or to one of the loopback, which are in every program.
    fileprivate var bindsToAnyAddress: Bool {
        guard name == .bind else { return false }
        return switch address?.ip {
        case .ipv4(let address): address.bits == 0 || address.bits >> 24 == 127
        case .ipv6(let address): address.bits <= 1
        case nil: true
        }
    }
}

extension IPAddress {
    /// Whether it is an IPv4 address, mapped or not.
    fileprivate var isOfIPv4: Bool {
        switch self {
        case .ipv4: true
        case .ipv6(let address): address.mapped != nil
        }
    }
}
