// SPDX-License-Identifier: Apache-2.0
package import DNSWire
import Wire

/// The names whose DNS answers contained the addresses that a client used. Made once for many flows: a client may have thousands of flows
/// and questions.
package struct KnownNames: Sendable {
    private var byAddress: [IPAddress: DomainName] = [:]

    package init(_ questions: [RepeatedQuery]) {
        for question in questions {
            for address in question.addresses where byAddress[address] == nil {
                byAddress[address] = question.question.name
            }
        }
    }

    /// The far end's name: the one in the first answer that had its address.
    package subscript(conversation: Conversation) -> DomainName? { byAddress[conversation.remote] }
    package subscript(flow: Flow) -> DomainName? { byAddress[flow.remote] }
}
