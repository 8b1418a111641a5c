// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes

/// A resource: a handler of requests with one of `methods` for paths that match a pattern.
package struct HTTPRoute<Context: RoutedContext>: Sendable {
    package let methods: [HTTPRequest.Method]
    /// The pattern in the syntax of OpenAPI: `/v1/clients/{id}`.
    package let path: String
    let answer: @Sendable (Request, Context) async throws -> Response
    private let segments: [Segment]

    private enum Segment {
        case fixed(Substring)
        /// Any text, which a handler gets under this name.
        case parameter(Substring)
    }

    package init(
        _ methods: [HTTPRequest.Method], _ path: String,
        _ answer: @escaping @Sendable (Request, Context) async throws -> Response
    ) {
        self.methods = methods
        self.path = path
        self.answer = answer
        segments = path.split(separator: "/").map { segment in
            segment.hasPrefix("{") && segment.hasSuffix("}")
                ? .parameter(segment.dropFirst().dropLast()) : .fixed(segment)
        }
    }

    /// The parameters in a matching path, not decoded; `nil` if the path does not match.
    func parameters(in path: [Substring]) -> PathParameters? {
        guard path.count == segments.count else { return nil }
        var parameters = PathParameters()
        for (segment, text) in zip(segments, path) {
            switch segment {
            case .fixed(let expected): if expected != text { return nil }
            case .parameter(let name): parameters[name] = String(text)
            }
        }
        return parameters
    }
}

/// The texts of a path's parameters, by the names in its route.
package typealias PathParameters = [Substring: String]

/// The context of a request, its path's parameters included.
package protocol RoutedContext: Sendable {
    var parameters: PathParameters { get set }
}

/// The resources of a server. HEAD is answered as GET is, without the content (RFC 9110 §9.3.2).
package struct HTTPRoutes<Context: RoutedContext>: Sendable {
    package let all: [HTTPRoute<Context>]

    package init(_ routes: [HTTPRoute<Context>]) {
        all = routes
    }

    /// - Returns: `nil` if no resource has this path, or none of those that have it allows the method.
    package func respond(to request: Request, context: Context) async throws -> Response? {
        let wanted = request.method == .head ? .get : request.method
        for (route, parameters) in matches(request.path) where route.methods.contains(wanted) {
            var context = context
            context.parameters = parameters
            return try await route.answer(request, context)
        }
        return nil
    }

    /// The methods that the resource at this path allows (RFC 9110 §15.5.6); empty if there is none.
    package func methods(at path: String) -> [HTTPRequest.Method] {
        let methods = matches(path).flatMap { route, _ in route.methods }
        return methods.contains(.get) ? methods + [.head] : methods
    }

    private func matches(_ path: String) -> [(HTTPRoute<Context>, PathParameters)] {
        let segments = path.split(separator: "/")
        return all.compactMap { route in route.parameters(in: segments).map { (route, $0) } }
    }
}
