// SPDX-License-Identifier: Apache-2.0
import Glibc
import LinuxNet

/// The lines of a file under /proc, trimmed.
func readLines(_ path: String) -> [String] {
    guard let file = try? Descriptor.open(path, flags: O_RDONLY) else { return [] }
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = unsafe read(file.number, &buffer, buffer.count)
        if count <= 0 { break }
        text += buffer.prefix(count)
    }
    return text.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
}
