// SPDX-License-Identifier: Apache-2.0
import DNS64

/// A fault that can be parsed survives being written and parsed again.
func fuzzFault(_ input: [UInt8]) throws(BrokenInvariant) {
    let text = String(decoding: input, as: UTF8.self)
    let fault: Fault
    do throws(FaultError) {
        fault = try Fault(presentation: text)
    } catch {
        return try require(!error.description.isEmpty, "an error without a word")
    }
    let again: Fault
    do throws(FaultError) {
        again = try Fault(presentation: fault.description)
    } catch {
        throw BrokenInvariant("\(text): written as \(fault): \(error)")
    }
    try require(again == fault, "\(text): \(fault) is read as \(again)")
}
