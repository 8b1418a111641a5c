// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
package import HummingbirdCore

extension Request {
    /// Whether its Content-Type is this media type, with any parameters (RFC 9110 §8.3.1).
    package func isOfType(_ mediaType: String) -> Bool {
        let written = headers[.contentType]?.prefix { $0 != ";" && $0 != " " && $0 != "\t" }
        return written?.lowercased() == mediaType
    }
}
