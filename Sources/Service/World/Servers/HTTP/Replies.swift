// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import HTTPTypes
import HTTPServing
import NIOCore

extension World.Service {
    /// The reply that the world file sets for a path of this service; `nil` if it sets none.
    /// - Parameter authority: the host of the request. An unknown name or an address gets the first host's reply.
    func reply(to path: String, at authority: String, _ names: ServedNames) -> WebReply? {
        if web.replies.isEmpty { return nil }
        let host = names.host(ofAuthority: authority) ?? hostNames.first
        return host.flatMap { web.replies[$0]?[path] }
    }
}

extension Response {
    init(_ reply: WebReply) {
        var fields: HTTPFields = [:]
        for field in reply.fields {
            if let name = HTTPField.Name(field.name) { fields.append(HTTPField(name: name, value: field.value)) }
        }
        // RFC 9110 §15.3.5, §15.3.6, §15.4.5: these have no content.
        if [204, 205, 304].contains(reply.status) {
            self.init(status: HTTPResponse.Status(code: reply.status), headers: fields)
        } else {
            if let type = reply.contentType { fields[.contentType] = type }
            self.init(
                status: HTTPResponse.Status(code: reply.status), headers: fields,
                body: ResponseBody(ByteBuffer(bytes: reply.body)))
        }
    }
}
