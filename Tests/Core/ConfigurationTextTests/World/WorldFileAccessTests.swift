// SPDX-License-Identifier: Apache-2.0
import ConfigurationFiles
@testable import ConfigurationText
import Testing

@Suite("Files that cannot be read") struct WorldFileAccessTests {
    private func complaint(_ path: String) -> String? {
        do throws(WorldFileError) {
            _ = try World(file: path)
            return nil
        } catch {
            return error.description
        }
    }

    @Test func `a missing file is told`() {
        #expect(complaint("/nonexistent/w.yaml") == "/nonexistent/w.yaml: there is no such file")
    }

    @Test func `a folder is told`() {
        #expect(complaint("/") == "/: this is a folder: name a file in it")
    }

    @Test func `a file without an end is told`() {
        #expect(
            complaint("/dev/zero") == "/dev/zero: the file is larger than 1048576 octets, the most a world may have")
    }

    @Test func `an empty file is told`() {
        #expect(complaint("/dev/null") == "/dev/null:1:1: the file is empty: write version: 1, then hosts and records")
    }

    @Test func `a path with a NUL in it is told`() {
        #expect(complaint("a\0b")?.hasPrefix("a") == true)
    }
}
