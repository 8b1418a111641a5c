// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Servers under test without a suite file.
    @Suite struct ListenTests {
        @Test(arguments: User.available)
        func `a server of both families is ready, by connection and by page`(_ user: User) throws {
            for place in ["8080", "8080/"] {
                let output = try ipv6check(
                    "listen", place, "--", "python3", "-m", "http.server", "8080", "--bind", "::", as: user)
                #expect(output.status == 0, Comment(rawValue: output.standardError))
                #expect(
                    output.standardError.contains("ipv6-only@nat64") && output.standardError.contains("both@dual-stack")
                )
            }
        }

        @Test func `a server that is not there is a mistake of the command line`() throws {
            let output = try ipv6check("listen", "8080", "--", "no-such-server")
            #expect(output.status == 2 && output.standardError.contains("no-such-server: not found"), output.told)
        }

        @Test func `a server of one family is told by whom it is missed, and how that is mended`() throws {
            let output = try ipv6check("listen", "8080", "--", "python3", "-m", "http.server", "8080")
            #expect(output.status == 1)
            for said in [
                "V6C-025", "from ipv4-through-nat64: refused, since it listens on 0.0.0.0:8080 alone", "--bind ::",
            ] {
                #expect(output.standardError.contains(said), Comment(rawValue: output.standardError))
            }
        }

        @Test(arguments: User.available)
        func `a server that turns IPv6 clients away is told, with the line, and its twin is green`(_ user: User) throws
        {
            let server = ["python3", Binaries.root.appending(path: "fixtures/clients/known_peers.py").path, "8080"]
            let output = try run([Binaries.ipv6check, "listen", "8080/", "--"] + server, as: user)
            #expect(output.status == 1)
            for said in [
                "V6C-102", "It gives an IPv4 client status 204, and an IPv6 client status 403.",
                "Its last words, \"a peer of no known network: 2e00:2:0:cafe::6\", are from", "known_peers.py:18",
                "fails on nat64; it serves IPv4 clients on dual-stack", "(a client)  tcp",
            ] {
                #expect(output.standardError.contains(said), Comment(rawValue: output.standardError))
            }
            let twin = try run(
                [Binaries.ipv6check, "listen", "8080/", "--", "env", "WORKS_EVERYWHERE=1"] + server, as: user)
            #expect(twin.status == 0, Comment(rawValue: twin.standardError))
        }

        @Test func `a server that closes IPv6 clients' connections is such a one, and is soon known to be ready`()
            throws
        {
            let server = """
                use IO::Socket::IP;
                my $s = IO::Socket::IP->new(LocalHost => "::", LocalPort => 8080, Listen => 5, V6Only => 0) or die "$@";
                while (my $c = $s->accept) {
                    if ($c->peerhost =~ /^(::ffff:)?\\d+\\.\\d+\\.\\d+\\.\\d+$/) {
                        my $line = <$c>; print $c "HTTP/1.0 200 OK\\r\\n\\r\\nhello\\n";
                    } else { print STDERR "no counter for the client ", $c->peerhost, "\\n"; }
                    close $c;
                }
                """
            let output = try ipv6check("listen", "8080/", "--", "perl", "-e", server, seconds: 60)
            #expect(output.status == 1)
            #expect(
                output.standardError.contains("an IPv6 client nothing ("), Comment(rawValue: output.standardError))
        }

        /// None of them is asked for anything.
        @Test(arguments: [
            ("close $c if $peer !~ /[.]/; push @c, $c", 1, "a connection that it closes at once"),
            ("die qq(no number of $peer\\n) if $peer !~ /[.]/; push @c, $c", 1, "ended"), ("close $c", 0, "2 passed"),
            ("push @c, $c", 0, "2 passed"),
        ])
        func `a connection alone shows a server that turns IPv6 clients away`(deed: String, status: Int32, said: String)
            throws
        {
            let server = """
                use IO::Socket::IP; my @c;
                my $s = IO::Socket::IP->new(LocalHost => "::", LocalPort => 8080, Listen => 5, V6Only => 0) or die "$@";
                while (my $c = $s->accept) { my $peer = $c->peerhost; \(deed) }
                """
            let output = try ipv6check("listen", "8080", "--", "perl", "-e", server, seconds: 60)
            #expect(output.status == status, Comment(rawValue: output.standardError))
            #expect(output.standardError.contains(said), Comment(rawValue: output.standardError))
            #expect(output.standardError.contains("V6C-102") == (status == 1))
        }

        @Test func `a redirect to the address that was asked is no failure, and one without brackets is`() throws {
            let server = """
                import http.server, socket, sys
                class Handler(http.server.BaseHTTPRequestHandler):
                    def do_GET(self):
                        host = self.headers['Host']
                        self.send_response(302)
                        self.send_header('Location', f'http://{eval(sys.argv[1])}/home')
                        self.end_headers()
                class Server(http.server.ThreadingHTTPServer): address_family = socket.AF_INET6
                Server(('::', 8080), Handler).serve_forever()
                """
            let whole = try ipv6check("listen", "8080/", "--", "python3", "-c", server, "host", seconds: 60)
            #expect(whole.status == 0, Comment(rawValue: whole.standardError))
            let cut = try ipv6check(
                "listen", "8080/", "--", "python3", "-c", server, "host.split(':')[0] + ':8080'", seconds: 60)
            #expect(cut.status == 1)
            #expect(cut.standardError.contains("which is no URL"), Comment(rawValue: cut.standardError))
        }

        @Test func `a server at another port is not waited for long`() throws {
            let output = try ipv6check(
                "listen", "8081", "--", "python3", "-m", "http.server", "8080", "--bind", "::", seconds: 150)
            #expect(output.status == 3)
            #expect(
                output.standardError.contains("was not ready after 15")
                    && output.standardError.contains("it listens at 8080"),
                Comment(rawValue: output.standardError))
        }

        /// A server of Python that looks at its peer.
        private func server(_ look: String) -> [String] {
            let program = """
                import http.server, os, socket
                class Handler(http.server.BaseHTTPRequestHandler):
                    def do_GET(self):
                        peer = self.client_address[0]
                        status = 200
                        \(look)
                        self.send_response(status)
                        self.end_headers()
                class Server(http.server.ThreadingHTTPServer):
                    address_family = socket.AF_INET6
                Server(("::", 8080), Handler).serve_forever()
                """
            return ["python3", "-c", program]
        }

        @Test func `a server that ends at an IPv6 client turns it away, too`() throws {
            let look = "if not peer.startswith('::ffff:'): os._exit(7)"
            let output = try run([Binaries.ipv6check, "listen", "8080/", "--"] + server(look))
            #expect(output.status == 1, output.told)
            #expect(output.standardError.ranges(of: "an IPv6 client nothing (").count == 2, output.told)
            #expect(!output.standardError.contains("do not end"), output.told)
        }

        @Test(arguments: [("if ':' in peer and '::ffff' not in peer", 1), ("if False", 0)])
        func `a redirect to an IPv4 address turns IPv6 clients away`(condition: String, code: Int32) throws {
            let look =
                "\(condition): return (self.send_response(302), self.send_header('Location', 'http://198.51.100.10/'), self.end_headers())"
            let output = try run([Binaries.ipv6check, "listen", "8080/", "--"] + server(look))
            #expect(output.status == code, output.told)
            guard code == 1 else { return }
            #expect(output.standardError.contains("an IPv6 client status 302 and http://198.51.100.10/."), output.told)
            #expect(output.standardError.contains("status 302 to http://198.51.100.10/, an IPv4 address"), output.told)
        }

        @Test(arguments: [("peer.startswith('::ffff:')", 3), ("False", 0)])
        func `a server that does not know IPv4 clients of its IPv6 socket is told so`(look: String, code: Int32) throws
        {
            let output = try run([Binaries.ipv6check, "listen", "8080/", "--"] + server("if \(look): status = 403"))
            #expect(output.status == code, output.told)
            let told = "V6C-102 It serves clients of one family"
            #expect(output.standardError.contains(told) == (code != 0), output.told)
            guard code != 0 else { return }
            #expect(
                output.standardError.contains("an IPv6 client status 200, and an IPv4 client status 403"), output.told)
        }

        @Test func `a server that refuses its own machine is ready, and its clients judge it`() throws {
            let look = "if peer in ('::1', '::ffff:127.0.0.1'): status = 403"
            let output = try run([Binaries.ipv6check, "listen", "8080/", "--"] + server(look))
            #expect(output.status == 0, output.told)
        }

        @Test(arguments: [("0.0.0.0", "::"), ("::", "0.0.0.0")])
        func `a server may listen on one family after the other`(first: String, second: String) throws {
            let program = """
                import http.server, socket, sys, threading, time
                def serve(address):
                    class Server(http.server.ThreadingHTTPServer):
                        address_family = socket.AF_INET6 if ":" in address else socket.AF_INET
                        def server_bind(self):
                            if ":" in address: self.socket.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                            super().server_bind()
                    Server((address, 8080), http.server.SimpleHTTPRequestHandler).serve_forever()
                threading.Thread(target=serve, args=sys.argv[1:2]).start()
                time.sleep(0.3)
                serve(sys.argv[2])
                """
            let output = try ipv6check("listen", "8080/", "--", "python3", "-c", program, first, second)
            #expect(output.status == 0, output.told)
        }

        @Test func `a server that speaks TLS is told to be asked by it`() throws {
            let folder = try SuiteFolder(
                """
                  - name: web
                    server:
                      command: >
                        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=web -keyout k.pem -out c.pem &&
                        exec openssl s_server -accept '[::]:8443' -key k.pem -cert c.pem -www
                      ready: { http: 8443/ }
                    networks: [nat64]
                    probe: [{ from: ipv6, http: / }]
                """)
            let output = try folder.suite(seconds: 60)
            #expect(
                output.standardError.contains("GET / at port 8443: it speaks TLS there, so ask by HTTPS"), output.told)
        }

        @Test func `a server at another port is told with its port`() throws {
            let folder = try SuiteFolder(
                """
                  - name: web
                    server: { command: [python3, -m, http.server, "8081", --bind, "::"], ready: { http: 8080/, within: 2s } }
                    networks: [nat64]
                    probe: [{ from: ipv6, http: / }]
                """)
            let output = try folder.suite()
            #expect(output.standardError.contains("nothing listens at tcp 8080; it listens at 8081"), output.told)
        }

        @Test func `what does not listen is no verdict on IPv6`() throws {
            let output = try ipv6check("listen", "8080", "--", "sh", "-c", "echo no licence >&2; exit 3")
            #expect(output.status == 3, Comment(rawValue: output.standardError))
            #expect(output.standardError.contains("the server ended before it was ready (exit 3)"))
            #expect(output.standardError.contains("    no licence\n"), Comment(rawValue: output.standardError))
        }

        @Test(arguments: [
            ("::", 0, "both@dual-stack"), ("0.0.0.0", 1, "from ipv6: refused, since it listens on 0.0.0.0:8443 alone"),
        ])
        func `a server is asked by HTTPS, whatever its certificate`(_ address: String, _ status: Int32, said: String)
            throws
        {
            let folder = FileManager.default.temporaryDirectory.appending(path: "listen-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let made = try run([
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-keyout",
                folder.path + "/key.pem", "-out", folder.path + "/own.pem", "-subj", "/CN=shop",
            ])
            #expect(made.status == 0, Comment(rawValue: made.standardError))
            let server = """
                import http.server, socket, ssl, sys
                class Server(http.server.ThreadingHTTPServer):
                    address_family = socket.AF_INET6 if ":" in sys.argv[1] else socket.AF_INET
                server = Server((sys.argv[1], 8443), http.server.SimpleHTTPRequestHandler)
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                context.load_cert_chain(sys.argv[2] + "/own.pem", sys.argv[2] + "/key.pem")
                server.socket = context.wrap_socket(server.socket, server_side=True)
                server.serve_forever()
                """
            let output = try ipv6check(
                "listen", "https:8443", "--", "python3", "-c", server, address, folder.path)
            #expect(output.status == status, Comment(rawValue: output.standardError))
            #expect(output.standardError.contains(said), Comment(rawValue: output.standardError))
        }

        @Test(arguments: [
            ["listen"], ["listen", "8080"], ["listen", "0", "--", "true"], ["listen", "http", "--", "true"],
            ["listen", "https:/x", "--", "true"], ["listen", "8080/a b", "--", "true"],
            ["listen", "8080", "--host-port", "8080", "--", "true"],
        ])
        func `mistakes end it at once`(_ words: [String]) throws {
            let output = try run([Binaries.ipv6check] + words)
            #expect(output.status == 2, Comment(rawValue: output.standardError))
        }

        @Test(arguments: User.available)
        func `a run whose time is over while it listens says so`(_ user: User) throws {
            let output = try ipv6check(
                "--timeout", "2s", "python3", "-m", "http.server", "8099", "--bind", "::", as: user)
            #expect(output.status == 124)
            let said =
                "It was still listening at port 8099 when its time was over. To test a server: ipv6check listen 8099 -- python3 -m http.server"
            #expect(output.standardError.contains(said), Comment(rawValue: output.standardError))
            let sleeping = try ipv6check("--timeout", "1s", "sleep", "20", as: user)
            #expect(!sleeping.standardError.contains("still listening"))
        }
    }
}
