// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import DNSWire
import Wire
import Testing

@testable import World

@Suite("What the HTTP servers answer", .timeLimit(.minutes(5))) struct HTTPResourceTests {
    @Test func `the root names whom the client asked for, whom it reached, and where`() async throws {
        try await withService(.http) { service in
            let response = try await service.get("/")
            #expect(response.status == 200)
            #expect(response.fields["content-type"] == "text/plain; charset=utf-8")
            let lines = response.body.split(separator: "\n")
            #expect(lines[0] == "asked for: host.test")
            #expect(lines[1] == "reached:   host.test")
            #expect(lines[2] == "at:        127.0.0.1:0 (http)")
            #expect(lines[3].hasPrefix("from:      127.0.0.1:"))
        }
    }

    @Test func `a path has the answer that the world says, by the host that was asked for`() async throws {
        var web = WebSettings()
        let json = WebReply(status: 200, contentType: "application/json", body: Array("[1]".utf8))
        web.replies = [
            try DomainName("host.test"): ["/list.json": json, "/generate_204": WebReply(status: 204)],
            try DomainName("other.test"): ["/list.json": WebReply(status: 503)],
        ]
        try await withService(.http, names: ["host.test", "other.test"], web: web) { service in
            let list = try await service.get("/list.json?page=1")
            #expect(list.status == 200 && list.body == "[1]" && list.fields["content-type"] == "application/json")
            let head = try await service.get("/list.json", method: "HEAD")
            #expect(head.status == 200 && head.body.isEmpty && head.fields["content-length"] == "3")
            let empty = try await service.get("/generate_204")
            #expect(empty.status == 204 && empty.body.isEmpty)
            #expect(try await service.get("/ip").status == 200)
        }
    }

    @Test func `anything is told as it came`() async throws {
        try await withService(.http) { service in
            let response = try await service.get(
                "/anything?a=b", method: "PUT", fields: ["X-Odd: \"1\""], body: "two\nlines")
            #expect(response.status == 200)
            #expect(response.body.contains(#""method": "PUT""#) && response.body.contains(#""url": "/anything?a=b""#))
            #expect(
                response.body.contains(#""data": "two\u000alines""#) && response.body.contains(#""X-Odd": "\"1\"""#))
            let large = try await service.get("/anything", method: "POST", body: String(repeating: "x", count: 1 << 18))
            #expect(large.status == 200 && large.body.utf8.count < 1 << 17)
        }
    }

    @Test func `cookies are set, and told`() async throws {
        try await withService(.http) { service in
            let set = try await service.get("/cookies/set?taste=sweet")
            #expect(set.status == 302 && set.fields["set-cookie"] == "taste=sweet; Path=/")
            #expect(set.fields["location"] == "/cookies")
            let told = try await service.get("/cookies", fields: ["Cookie: taste=sweet; size=2"])
            #expect(told.body == #"{"cookies": {"taste": "sweet", "size": "2"}}"# + "\n")
            let wrong = try await service.get("/cookies/set?a=b%0d%0aX:1")
            #expect(wrong.status == 400 && wrong.fields["x"] == nil)
        }
    }

    @Test(
        arguments: [
            ("GET", [], 200), ("GET", ["If-None-Match: \"a,b\""], 304), ("GET", ["If-None-Match: *"], 304),
            ("GET", ["If-None-Match: W/\"a,b\", \"two\""], 304), ("GET", ["If-None-Match: \"two\" , \"a,b\"\t"], 304),
            ("GET", ["If-None-Match: \"a,b\"\t, \"two\""], 304), ("GET", ["If-None-Match: \"two\", \"a\""], 200),
            ("HEAD", ["If-None-Match: \"a,b\""], 304), ("PUT", ["If-None-Match: \"a,b\""], 412),
            ("POST", ["If-None-Match: *"], 412), ("PUT", ["If-None-Match: \"two\""], 200),
            ("GET", ["If-Match: \"a,b\""], 200), ("GET", ["If-Match: \"two\"", "If-Match: \"a,b\""], 200),
            ("GET", ["If-Match: \"two\""], 412), ("GET", ["If-Match: W/\"a,b\""], 412), ("PUT", ["If-Match: *"], 200),
        ] as [(String, [String], Int)])
    func `an entity tag decides on conditional requests`(method: String, fields: [String], status: Int) async throws {
        try await withService(.http) { service in
            let response = try await service.get("/etag/a,b", method: method, fields: fields)
            #expect(response.status == status && (status == 412 || response.fields["etag"] == "\"a,b\""))
        }
    }

    @Test(
        arguments: [
            ([], 401), (["Authorization: Basic dXNlcjpwYXNz"], 200), (["Authorization: basic dXNlcjpwYXNz"], 200),
            (["Authorization: Basic dXNlcjpwYXNzCg=="], 401), (["Authorization: Bearer dXNlcjpwYXNz"], 401),
        ] as [([String], Int)])
    func `who knows the password comes in`(fields: [String], status: Int) async throws {
        try await withService(.http) { service in
            let response = try await service.get("/basic-auth/user/pass", fields: fields)
            #expect(response.status == status && (response.fields["www-authenticate"] != nil) == (status == 401))
        }
    }

    @Test func `user and password are what their percent encoding stands for`() async throws {
        try await withService(.http) { service in
            // "us/er:pä ss"
            let response = try await service.get(
                "/basic-auth/us%2Fer/p%C3%a4%20ss", fields: ["Authorization: Basic dXMvZXI6cMOkIHNz"])
            #expect(response.status == 200 && response.body.contains("\"us/er\""))
            #expect(try await service.get("/basic-auth/us%2/pass").status == 400)
        }
    }

    @Test func `a stream has as many lines as asked for`() async throws {
        try await withService(.http) { service in
            let response = try await service.get("/stream/3")
            #expect(response.status == 200 && response.fields["transfer-encoding"] == "chunked")
            #expect(response.body.contains("{\"id\": 2}") && !response.body.contains("{\"id\": 3}"))
            let many = try await service.get("/stream/1001")
            #expect(many.status == 400)
        }
    }

    @Test(arguments: [(Loopback.ipv4, "127.0.0.1"), (Loopback.ipv6, "::1")])
    func `the address of the client is told as it is seen`(address: IPAddress, expected: String) async throws {
        try await withService(.http, at: address) { service in
            let text = try await service.get("/ip")
            #expect(text.body == expected + "\n")
            let json = try await service.get("/ip", fields: ["Accept: text/html, application/json;q=0.9"])
            #expect(json.fields["content-type"] == "application/json")
            #expect(json.body == "{\"ip\": \"\(expected)\"}\n")
        }
    }

    @Test func `header fields come back in their order, repeated ones as a list`() async throws {
        try await withService(.http) { service in
            let response = try await service.get("/headers", fields: ["X-B: 1", "X-A: say \"\\\"", "x-b: 2"])
            #expect(
                response.body == """
                    {
                      "headers": {
                        "Host": "host.test",
                        "Connection": "close",
                        "X-B": "1, 2",
                        "X-A": "say \\"\\\\\\""
                      }
                    }

                    """)
        }
    }

    @Test(arguments: [
        ("/status/200", 200, "200\n"), ("/status/404", 404, "404\n"), ("/status/599", 599, "599\n"),
        ("/status/204", 204, ""), ("/status/304", 304, ""),
        ("/status/100", 400, "/status/N takes a status from 200 to 599\n"),
        ("/status/600", 400, "/status/N takes a status from 200 to 599\n"),
        ("/status/-1", 400, "/status/N takes a status from 200 to 599\n"),
        ("/status/99999999999999999999", 400, "/status/N takes a status from 200 to 599\n"),
        ("/delay/0", 200, "0 ms later\n"),
        ("/delay/60001", 400, "/delay/MS takes a number of milliseconds from 0 to 60000\n"),
        ("/delay/soon", 400, "/delay/MS takes a number of milliseconds from 0 to 60000\n"),
    ])
    func `statuses and delays are as asked for, within reason`(path: String, status: Int, body: String) async throws {
        try await withService(.http) { service in
            let response = try await service.get(path)
            #expect(response.status == status)
            #expect(response.body == body)
        }
    }

    @Test(arguments: [
        ("/redirect?to=https%3A%2F%2Fhost.test%2F%3Fa%3D1", 302, "https://host.test/?a=1"),
        ("/redirect?to=/ip&code=308", 308, "/ip"), ("/redirect?to=/ip&code=200", 400, nil), ("/redirect", 400, nil),
        ("/redirect?to=", 400, nil), ("/redirect?to=a%0d%0aSet-Cookie:b", 400, nil),
    ])
    func `a redirection leads to where the client says`(path: String, status: Int, location: String?) async throws {
        try await withService(.http) { service in
            let response = try await service.get(path)
            #expect(response.status == status)
            #expect(response.fields["location"] == location)
            #expect(response.fields["set-cookie"] == nil)
        }
    }

    @Test func `an unknown path is answered with the known ones`() async throws {
        try await withService(.http) { service in
            let response = try await service.get("/nowhere")
            #expect(response.status == 404)
            #expect(response.body == "There is no /nowhere here. There are:\n\n" + HTTPApplication.directory)
        }
    }

    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
    func `every usual method is answered`(method: String) async throws {
        try await withService(.http) { service in
            let response = try await service.get("/status/201", method: method, body: "unread")
            #expect(response.status == 201)
        }
    }

    @Test(arguments: ["/nowhere", "/d?dn=a..b", "/d?dn=v4.test", "/dns-query", "/dns-query?dns=AAAA", "/list.json"])
    func `HEAD is answered as GET is, without content`(path: String) async throws {
        var web = WebSettings()
        (web.tellsAddresses, web.answersDNS) = (true, true)
        web.replies = [try DomainName("host.test"): ["/list.json": WebReply(status: 404, body: Array("[1]".utf8))]]
        try await withService(.http, web: web, records: DNSQuestions.records) { service in
            let whole = try await service.get(path)
            let answers = try await service.exchange(
                "HEAD \(path) HTTP/1.1\r\nHost: host.test\r\n\r\n"
                    + "GET /status/201 HTTP/1.1\r\nHost: host.test\r\nConnection: close\r\n\r\n")
            let head = TestResponse(answers)
            #expect(head.status == whole.status && !whole.body.isEmpty)
            #expect(head.fields["content-length"] == "\(whole.body.utf8.count)")
            #expect(head.body.hasPrefix("HTTP/1.1 201"))
        }
    }

    @Test func `HEAD for a host that is not here is answered without content`() async throws {
        var web = WebSettings()
        web.unknownHost = 421
        try await withService(.http, web: web) { service in
            let head = TestResponse(
                try await service.exchange("HEAD / HTTP/1.1\r\nHost: other.test\r\nConnection: close\r\n\r\n"))
            #expect(head.status == 421 && head.body.isEmpty && head.fields["content-length"] != "0")
        }
    }

    @Test func `HEAD tells the length and sends nothing`() async throws {
        try await withService(.http) { service in
            let response = try await service.get("/bytes/1099511627776", method: "HEAD")
            #expect(response.status == 200)
            #expect(response.fields["content-length"] == "1099511627776")
            #expect(response.body == "")
        }
    }
}
