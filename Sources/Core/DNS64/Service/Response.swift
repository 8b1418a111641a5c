// SPDX-License-Identifier: Apache-2.0
import DNSWire

extension Message {
    /// A response to `query` by the usual rules (RFC 1035 §4.1.1, RFC 6891 §6.1.1, RFC 4035 §3.2).
    init(respondingTo query: Message, _ responseCode: ResponseCode) {
        // Several questions get no answer, so none is repeated.
        self.init(
            id: query.id, responseCode: responseCode, questions: query.questions.count == 1 ? query.questions : [])
        // RD and CD are copied from the client, QR and RA are ours.
        flags = query.flags.intersection([.recursionDesired, .checkingDisabled])
        flags.formUnion([.response, .recursionAvailable])
        flags.opcode = query.flags.opcode
        // RFC 6891 §7: "lack of presence of an OPT record in a request MUST be taken as an indication that the requestor does
        // not implement any part of this specification and that the responder MUST NOT include an OPT record in its response".
        edns = query.edns.map { EDNS(dnssecOK: $0.dnssecOK) }
    }

    /// A response that contains an answer.
    init(respondingTo query: Message, with answer: Answer) {
        self.init(respondingTo: query, answer.responseCode)
        self.answer = answer.answer
        authority = answer.authority
        additional = answer.additional
        // RFC 6840 §5.8: AD only for a client that shows by DO or AD that it understands the bit.
        if answer.isAuthentic, query.edns?.dnssecOK == true || query.flags.contains(.authenticData) {
            flags.insert(.authenticData)
        }
    }

    /// Maximum octets of the response to this query over UDP.
    func largestResponse(serverLimit: Int) -> Int {
        // RFC 6891 §6.2.3: "Values lower than 512 MUST be treated as equal to 512."
        let client = max(Int(edns?.udpPayloadSize ?? 0), EDNS.smallestPayloadSize)
        return min(client, max(serverLimit, EDNS.smallestPayloadSize))
    }
}
