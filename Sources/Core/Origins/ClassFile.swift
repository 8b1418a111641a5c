// SPDX-License-Identifier: Apache-2.0
internal import Text

/// A compiled class of Java, Kotlin or Scala.
package enum ClassFile {
    /// The folders for classes and for sources in build tools: javac, Maven, Gradle, sbt, IDEs.
    private static let folders = [
        ("/target/classes/", ["/src/main/java/", "/src/main/kotlin/", "/src/main/scala/"]),
        ("/target/test-classes/", ["/src/test/java/", "/src/test/kotlin/", "/src/test/scala/"]),
        ("/build/classes/java/main/", ["/src/main/java/"]), ("/build/classes/java/test/", ["/src/test/java/"]),
        ("/build/classes/kotlin/main/", ["/src/main/kotlin/"]), ("/build/classes/kotlin/test/", ["/src/test/kotlin/"]),
        ("/bin/", ["/src/"]), ("/out/", ["/src/", "/"]), ("/build/", ["/src/", "/"]), ("/classes/", ["/src/", "/"]),
    ]

    /// The files that a class may have been compiled from.
    /// - Parameter path: absolute.
    package static func sources(of path: String) -> [String] {
        let name = baseName(path).dropLast(".class".count)
        // An inner class has a file of its own: Shop$Cart.
        let outer = name.split(separator: "$").first.map(String.init) ?? String(name)
        let folder = String(path.dropLast(baseName(path).count))
        var places = [folder]
        for (classes, sources) in folders {
            guard let range = folder.ranges(of: classes).last else { continue }
            for source in sources {
                var place = folder
                place.replaceSubrange(range, with: source)
                places.append(place)
            }
        }
        // The functions of a Kotlin file are in a class named after it.
        let kotlin = outer.hasSuffix("Kt") ? String(outer.dropLast(2)) : outer
        return places.flatMap { ["\($0)\(outer).java", "\($0)\(kotlin).kt", "\($0)\(outer).scala"] }
    }
}
