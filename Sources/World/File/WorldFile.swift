import SystemPackage

extension World {
    /// Reads a world file.
    public init(file path: String) throws(WorldFileError) {
        self = try World(yaml: try readWorldFile(path), name: path)
    }

    /// Reads the text of a world file, which is called `name` where something is wrong with it.
    public init(yaml octets: [UInt8], name: String) throws(WorldFileError) {
        if octets.count > WorldFileLimits.octets { throw .tooLarge(name) }
        let text: String
        do throws(UTF8.ValidationError) {
            text = String(copying: try UTF8Span(validating: octets.span))
        } catch {
            let position = SourcePosition(offset: error.byteOffsets.lowerBound, in: octets)
            throw WorldFileError(file: name, "this is not UTF-8: save the file in that encoding", at: position)
        }

        var reader = WorldFileReader()
        reader.read(try YAMLNode.compose(text, file: name))
        var assembly = WorldAssembly()
        let world = assembly.assemble(hosts: reader.hosts, records: reader.records)
        let problems = (reader.problems + assembly.problems).sorted { ($0.position!) < ($1.position!) }
        guard problems.isEmpty else {
            throw WorldFileError(file: name, problems: Array(problems.prefix(WorldFileLimits.problems)))
        }
        self = world
    }
}

extension WorldFileError {
    fileprivate static func tooLarge(_ file: String) -> WorldFileError {
        WorldFileError(
            file: file, "the file is larger than \(WorldFileLimits.octets) octets, the most a world may have")
    }
}

/// The octets of a file, a pipe or anything else that can be read to its end; no more than can be a world.
private func readWorldFile(_ path: String) throws(WorldFileError) -> [UInt8] {
    do {
        let descriptor = try FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec])
        return try descriptor.closeAfter {
            var octets: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 65_536)
            while octets.count <= WorldFileLimits.octets {
                let count = try unsafe chunk.withUnsafeMutableBytes { buffer in
                    try unsafe descriptor.read(into: buffer)
                }
                if count == 0 { break }
                octets += chunk.prefix(count)
            }
            return octets
        }
    } catch Errno.noSuchFileOrDirectory {
        throw WorldFileError(file: path, "there is no such file")
    } catch Errno.isDirectory {
        throw WorldFileError(file: path, "this is a folder: name a file in it")
    } catch Errno.permissionDenied {
        throw WorldFileError(file: path, "the file may not be read: its permissions forbid it")
    } catch {
        throw WorldFileError(file: path, "the file cannot be read: \(error)")
    }
}
