// SPDX-License-Identifier: Apache-2.0
package import DNSWire
package import Evidence
package import Translation
package import Wire

/// One observation that meets a rule.
package struct Observation: Hashable, Sendable {
    package var subject: Subject
    /// The description.
    package var statement: Statement
    /// Its place in the client, if known.
    package var site: CallSite?
    /// The named object of the observation, if it has one. An observation without counterpart may have one too.
    package var target: Target?
    /// Whether it was seen in the control run alone: here the client did not come that far.
    var isOfControl = false

    /// The subject of an observation, the same on every network and in every rule. A subject observed on both networks causes no difference
    /// between them, and if two rules have observations of one subject, one may supersede the other.
    package enum Subject: Hashable, Sendable {
        case name(DomainName)
        case farEnd(Host, Flow.Transport, port: UInt16)
        case drop(DropReason)
        /// A subject without counterpart on another network or in another rule.
        case itself(Statement)
    }

    /// A host, by its name if the client had one.
    package enum Host: Hashable, Sendable {
        case name(DomainName)
        case address(IPAddress)
    }

    init(_ subject: Subject, _ statement: Statement, at site: CallSite? = nil) {
        self.subject = subject
        self.statement = statement
        self.site = site
        target = Target(subject)
    }

    /// An observation whose subject has no counterpart.
    init(_ statement: Statement, at site: CallSite? = nil, about target: Target? = nil) {
        self.init(.itself(statement), statement, at: site)
        self.target = target
    }
}
