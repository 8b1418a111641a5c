import SystemPackage

/// The text of a YAML file that a person wrote, and what to call it where something is wrong with it.
package struct YAMLText {
    package let name: String
    /// What the file describes: "a world".
    private let kind: String
    private let octets: [UInt8]

    package static let mostOctets = 1 << 20

    package init(_ octets: [UInt8], name: String, of kind: String) {
        self.octets = octets
        self.name = name
        self.kind = kind
    }

    /// The contents of a file, a pipe or anything else that can be read to its end.
    package init(file path: String, of kind: String) throws(YAMLFileError) {
        self.init(try readFile(path, most: Self.mostOctets), name: path, of: kind)
    }

    /// The root of its only document; nil where it holds none.
    package func root() throws(YAMLFileError) -> YAMLNode? {
        if octets.count > Self.mostOctets {
            throw YAMLFileError(
                file: name, "the file is larger than \(Self.mostOctets) octets, the most \(kind) may have")
        }
        let text: String
        do throws(UTF8.ValidationError) {
            text = String(copying: try UTF8Span(validating: octets.span))
        } catch {
            let position = SourcePosition(offset: error.byteOffsets.lowerBound, in: octets)
            throw YAMLFileError(file: name, "this is not UTF-8: save the file in that encoding", at: position)
        }
        return try YAMLComposer(text, file: name, of: kind).compose()
    }
}

/// The octets of a file; of one that has more than `most`, enough to see that it has.
package func readFile(_ path: String, most: Int) throws(YAMLFileError) -> [UInt8] {
    do {
        let descriptor = try FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec])
        return try descriptor.closeAfter {
            var octets: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 65_536)
            while octets.count <= most {
                let count = try unsafe chunk.withUnsafeMutableBytes { buffer in
                    try unsafe descriptor.read(into: buffer)
                }
                if count == 0 { break }
                octets += chunk.prefix(count)
            }
            return octets
        }
    } catch Errno.noSuchFileOrDirectory {
        throw YAMLFileError(file: path, "there is no such file")
    } catch Errno.isDirectory {
        throw YAMLFileError(file: path, "this is a folder: name a file in it")
    } catch Errno.permissionDenied {
        throw YAMLFileError(file: path, "the file may not be read: its permissions forbid it")
    } catch {
        throw YAMLFileError(file: path, "the file cannot be read: \(error)")
    }
}
