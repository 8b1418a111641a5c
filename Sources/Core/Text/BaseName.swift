/// What stands behind the last slash of a path, as basename(1) has it.
package func baseName(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
