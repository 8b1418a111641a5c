// SPDX-License-Identifier: Apache-2.0
import Evidence
import Text

/// A framework for servers, as far as it decides which setting listens on both families. docs/rules-servers.md lists the trials.
struct ServerFramework {
    private enum Mark {
        /// A part of the path of a source file on the stack of the call.
        case frame(String)
        /// A function on the stack, in a file with this part in its path.
        case function(String, in: String)
        case executable(String)
        /// An argument of the program. The first one is its name.
        case argument(String)
    }

    let name: String
    /// The setting that listens on both families, on Linux.
    let setting: String
    private let marks: [Mark]

    private init(_ name: String, _ marks: Mark..., setting: String) {
        self.name = name
        self.setting = setting
        self.marks = marks
    }

    /// The most specific framework that fits the call by which a program listens; `nil` if none does.
    init?(of call: TracedCall, by program: TracedProgram?) {
        guard let known = Self.all.first(where: { $0.marks.allSatisfy { Self.fits($0, call, program) } }) else {
            return nil
        }
        self = known
    }

    private static func fits(_ mark: Mark, _ call: TracedCall, _ program: TracedProgram?) -> Bool {
        switch mark {
        case .frame(let path): call.frames.contains { $0.file?.contains(path) == true }
        case .function(let name, let path):
            call.frames.contains { $0.function == name && $0.file?.contains(path) == true }
        case .executable(let name):
            program.map { [baseName($0.executable), versionedStem(of: baseName($0.executable))].contains(name) }
                ?? false
        case .argument(let text): program?.arguments.contains { baseName($0) == text } ?? false
        }
    }

    /// The first match counts, as servers are built on other servers.
    private static let all: [ServerFramework] = [
        ServerFramework("Granian", .frame("granian/server/"), setting: "--host ::"),
        ServerFramework("Daphne", .frame("daphne/server.py"), setting: "-b ::"),
        ServerFramework("gunicorn", .frame("gunicorn/arbiter.py"), setting: "-b [::]:PORT"),
        ServerFramework("Hypercorn", .frame("hypercorn/"), setting: "-b [::]:PORT"),
        ServerFramework("uvicorn with workers", .frame("uvicorn/_subprocess.py"), setting: "--host ::"),
        ServerFramework("uvicorn", .frame("uvicorn/server.py"), setting: "--host \"\" (uvicorn.run(app, host=\"\"))"),
        ServerFramework("Sanic", .frame("sanic/server/"), setting: "--host :: (app.run(host=\"::\"))"),
        ServerFramework("aiohttp", .frame("aiohttp/web_runner.py"), setting: "run_app(app) without host"),
        ServerFramework("Tornado", .frame("tornado/netutil.py"), setting: "listen(port) without address"),
        ServerFramework(
            "Django's runserver", .frame("django/core/servers/basehttp.py"), setting: "runserver [::]:PORT"),
        ServerFramework("Flask", .frame("werkzeug/serving.py"), setting: "app.run(host=\"::\") (flask run --host ::)"),
        ServerFramework("waitress", .frame("waitress/server.py"), setting: "listen=\"*:PORT\""),
        ServerFramework("gevent", .frame("gevent/server.py"), setting: "WSGIServer((\"\", port), app)"),
        ServerFramework("Cheroot", .frame("cheroot/server.py"), setting: "Server((\"::\", port), app)"),
        ServerFramework(
            "Twisted", .frame("twisted/internet/tcp.py"), setting: "listenTCP(port, factory, interface=\"::\")"),
        ServerFramework("python -m http.server", .function("test", in: "http/server.py"), setting: "--bind ::"),
        ServerFramework(
            "socketserver", .frame("/socketserver.py"),
            setting: "a subclass with address_family = socket.AF_INET6, at (\"::\", port)"),
        ServerFramework(
            "asyncio", .function("create_server", in: "asyncio/base_events.py"),
            setting: "asyncio.start_server(handle, None, port)"),
        ServerFramework(
            "asyncio", .function("start_server", in: "asyncio/streams.py"),
            setting: "asyncio.start_server(handle, None, port)"),
        ServerFramework("Puma", .frame("puma/binder.rb"), setting: "-b tcp://[::]:PORT"),
        ServerFramework("WEBrick", .frame("webrick/utils.rb"), setting: "no BindAddress at all"),
        ServerFramework("HTTP::Daemon", .frame("HTTP/Daemon.pm"), setting: "LocalAddr => \"::\""),
        ServerFramework(
            "Perl", .frame("IO/Socket/INET.pm"), setting: "IO::Socket::IP with LocalHost => \"::\", V6Only => 0"),
        ServerFramework("Deno", .executable("deno"), setting: "hostname: \"::\""),
        ServerFramework("Caddy", .executable("caddy"), setting: "a site :PORT without bind"),
        ServerFramework("PHP's server", .executable("php"), .argument("-S"), setting: "php -S [::]:PORT"),
        ServerFramework("Erlang", .executable("beam.smp"), setting: "gen_tcp:listen(Port, [inet6])"),
        ServerFramework("nginx", .executable("nginx"), setting: "listen PORT; with listen [::]:PORT;"),
        ServerFramework("Apache", .executable("apache2"), setting: "Listen PORT"),
        ServerFramework("HAProxy", .executable("haproxy"), setting: "bind :::PORT v4v6"),
        ServerFramework(
            "lighttpd", .executable("lighttpd"), setting: "server.bind = \"[::]\" with server.set-v6only = \"disable\""),
        ServerFramework("PostgreSQL", .executable("postgres"), setting: "listen_addresses = '*'"),
        ServerFramework("Redis", .argument("redis-server"), setting: "bind * -::*"),
    ]
}
