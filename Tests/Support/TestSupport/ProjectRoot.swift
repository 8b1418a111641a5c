// SPDX-License-Identifier: Apache-2.0
/// The folder of the package, with a slash at its end: for fixtures, and for what the scripts have built.
package let projectRoot = String(#filePath.dropLast("Tests/Support/TestSupport/ProjectRoot.swift".utf8.count))
