// SPDX-License-Identifier: Apache-2.0
import Topology
import HTTPServing
import HTTPTypes
import NIOCore
import Text

/// The resources of the control API, version 1, as `docs/openapi.yaml` describes them.
struct ControlAPI: Sendable {
    typealias Route = HTTPRoute<ControlContext>

    let routes: HTTPRoutes<ControlContext>

    init(_ daemon: some Controllable, events: EventHub) {
        routes = HTTPRoutes(
            Self.overview(daemon) + Self.clients(daemon) + Self.faults(daemon) + Self.prefix(daemon)
                + [
                    Route([.get], "/v1/events") { _, context in try Response.eventStream(events, for: context.user)
                    },
                    Route([.get], "/openapi.yaml") { _, _ in
                        Response(
                            status: .ok, headers: [.contentType: "application/yaml"],
                            body: ResponseBody(ByteBuffer(string: EmbeddedFile.openAPI)))
                    },
                ])
    }

    /// Turns any error of a request, except the end of its connection, into a problem.
    func respond(to request: Request, context: ControlContext) async throws -> Response {
        do {
            if let response = try await routes.respond(to: request, context: context) { return response }
            return refusal(of: request)
        } catch let problem as Problem {
            return problem.response()
        } catch let error as ControlError {
            return Problem(error).response()
        }
    }

    /// The response for a resource that does not exist, or not with this method (RFC 9110 §15.5.6).
    private func refusal(of request: Request) -> Response {
        let methods = routes.methods(at: request.path)
        if methods.isEmpty {
            return Problem(
                .notFound, "there is no \"\(excerpt(request.path))\" here; /openapi.yaml says what there is"
            )
            .response()
        }
        let allowed = methods.map(\.rawValue).joined(separator: ", ")
        return Problem(.methodNotAllowed, "this resource knows \(allowed)").response([.allow: allowed])
    }
}

extension ControlAPI {
    private static func overview(_ daemon: some Controllable) -> [Route] {
        [
            Route([.get], "/v1/status") { _, _ in .json(await daemon.status()) },
            Route([.get], "/v1/ready") { _, _ in
                let readiness = await daemon.readiness()
                return .json(readiness, status: readiness.state == .ready ? .ok : .serviceUnavailable)
            },
            Route([.get], "/v1/counters") { _, _ in .json(Listing(await daemon.counters())) },
            Route([.get], "/v1/dns-log") { request, _ in
                let parameters = QueryParameters(request)
                return .json(
                    await daemon.dnsLog(
                        since: try parameters.number("since"), limit: try parameters.limit(),
                        client: try parameters.number("client")))
            },
            Route([.get], "/metrics") { _, _ in
                let text = MetricsText(await daemon.status(), await daemon.counters()).text
                return Response(
                    status: .ok, headers: [.contentType: MetricsText.mediaType],
                    body: ResponseBody(ByteBuffer(string: text)))
            },
        ]
    }

    private static func clients(_ daemon: some Controllable) -> [Route] {
        [
            Route([.get], "/v1/clients") { _, _ in .json(await daemon.clients()) },
            Route([.get], "/v1/gateway/clients") { request, _ in
                .json(try await daemon.gatewayClients(limit: try QueryParameters(request).limit()))
            },
            Route([.get], "/v1/clients/{id}") { _, context in
                .json(try await daemon.client(try context.identifier(of: "client")))
            },
            Route([.put], "/v1/clients/{id}/network") { request, context in
                // First, as a missing client is not the body's mistake.
                let client = try await daemon.client(try context.identifier(of: "client"))
                let wanted = try await request.body(WantedNetwork.self, example: #"{"network": "nat64"}"#)
                return .json(
                    try await daemon.moveClient(client.id, to: try wanted.network.checked(), wishing: wanted.wishes))
            },
            Route([.get], "/v1/clients/{id}/sessions") { request, context in
                .json(
                    try await daemon.sessions(
                        of: try context.identifier(of: "client"), limit: try QueryParameters(request).limit()))
            },
            Route([.delete], "/v1/clients/{id}/sessions") { _, context in
                .json(try await daemon.forgetSessions(of: try context.identifier(of: "client")))
            },
            Route([.get], "/v1/clients/{id}/bindings") { request, context in
                .json(
                    try await daemon.bindings(
                        of: try context.identifier(of: "client"), limit: try QueryParameters(request).limit()))
            },
        ]
    }

    private static func faults(_ daemon: some Controllable) -> [Route] {
        [
            Route([.get], "/v1/faults") { _, _ in .json(await daemon.faults()) },
            Route([.post], "/v1/faults") { request, _ in
                let wanted = try await request.body(
                    NewFault.self, example: #"{"fault": "*.shop.test AAAA any any drop"}"#)
                let fault = try await daemon.addFault(try wanted.fault.checked())
                var response = Response.json(fault, status: .created)
                response.headers[.location] = "/v1/faults/\(fault.id)"
                return response
            },
            Route([.delete], "/v1/faults") { _, _ in
                await daemon.removeAllFaults()
                return Response(status: .noContent)
            },
            Route([.get], "/v1/faults/{id}") { _, context in
                let id = try context.identifier(of: "fault")
                guard let fault = await daemon.faults().items.first(where: { $0.id == id }) else {
                    throw ControlError(.notFound, "there is no fault \(id); /v1/faults lists them")
                }
                return .json(fault)
            },
            Route([.delete], "/v1/faults/{id}") { _, context in
                try await daemon.removeFault(try context.identifier(of: "fault"))
                return Response(status: .noContent)
            },
        ]
    }

    private static func prefix(_ daemon: some Controllable) -> [Route] {
        [
            Route([.get], "/v1/prefix") { _, _ in .json(await daemon.prefix()) },
            Route([.put], "/v1/prefix") { request, _ in
                let wanted = try await request.body(PrefixSetting.self, example: #"{"pref64": "64:ff9b::/96"}"#)
                return .json(try await daemon.changePrefix(to: try wanted.pref64.checked()))
            },
        ]
    }
}

/// The body of a request that adds a fault.
struct NewFault: Codable, Sendable {
    var fault: String
}

/// The body of a request that moves a client to another network.
struct WantedNetwork: Codable, Sendable {
    var network: String
    /// For a device, in the syntax of `--link` and `--conditions`; absent ones stay as they are.
    var link: String?
    var conditions: [String]?

    init(network: String, _ wishes: LinkWishes) {
        self.network = network
        link = wishes.setup
        if !wishes.conditions.isEmpty { conditions = wishes.conditions }
    }

    var wishes: LinkWishes { LinkWishes(conditions: conditions ?? [], setup: link) }
}
