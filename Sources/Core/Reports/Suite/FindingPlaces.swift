// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import Evidence
import Suites
import Text

extension CodeLocation {
    /// `nil` if no line is known. The names are not trusted: a client's debug information can contain anything.
    init?(_ site: CallSite) {
        guard let file = site.file else { return nil }
        self.init(file: printable(file), line: site.line, function: site.function.map(printable))
    }

    /// `agent.c:12`
    var text: String { line.map { "\(file):\($0)" } ?? file }
}

extension KnownOrigins {
    /// The origin of the address that an observation is about, in the form for results.
    func origin(of observation: Observation) -> OriginLocation? {
        guard let origin = observation.statement.origin ?? self[observation]?.origin else { return nil }
        return OriginLocation(text: printable(phrase(origin)), place: origin.filePlace)
    }
}

/// The place where a person can fix a finding, if its file is in the repository: at the call, or else at the address.
func repositoryPlace(_ location: CodeLocation?, _ origin: OriginLocation?) -> CodeLocation? {
    [location, origin?.place].compactMap(\.self).first { $0.path != nil }
}

extension Statement {
    /// The first origin in it.
    var origin: AddressOrigin? {
        for part in parts {
            switch part {
            case .origin(let origin), .source(let origin): return origin
            default: continue
            }
        }
        return nil
    }
}

extension AddressOrigin {
    fileprivate var filePlace: CodeLocation? {
        guard case .file(let path, let line) = place else { return nil }
        return CodeLocation(file: printable(path), line: line)
    }
}
