// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
package import HummingbirdCore

extension Request {
    /// Whether its content is said to be of this media type, whatever its parameters (RFC 9110 §8.3.1).
    package func isOfType(_ mediaType: String) -> Bool {
        let written = headers[.contentType]?.prefix { $0 != ";" && $0 != " " && $0 != "\t" }
        return written?.lowercased() == mediaType
    }
}
