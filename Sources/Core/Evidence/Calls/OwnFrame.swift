import Text

extension StackFrame {
    /// Whether the code is a library's, a language's or a C library's, and not the user's: a path of the system, of a package manager or
    /// of a language's own sources says so.
    package var isOfLibrary: Bool {
        if let module, Self.isSharedObject(module) || Self.isInterpreter(module) { return true }
        if let function, Self.languagePrefixes.contains(where: function.hasPrefix) { return true }
        // Without a file there is the symbol alone, and in an executable of static libraries it may be theirs.
        guard let file else { return function.map(Self.isOfCLibrary) ?? (module == nil) }
        return Self.prefixes.contains(where: file.hasPrefix) || Self.parts.contains(where: file.contains)
            || Self.isOfGo(file)
    }

    /// Where a file is of a system, or where no file is.
    private static let prefixes = [
        "/usr/lib/", "/usr/lib64/", "/usr/share/", "/usr/include/", "/usr/src/", "/usr/local/lib/", "/usr/local/go/",
        "/usr/local/share/", "/usr/local/include/", "/lib/", "/lib64/", "/opt/swift/", "/build/", "../sysdeps/",
        // Python, Ruby, Node, PHP
        "<", "node:", "internal/", "phar://",
        // Rust
        "/rustc/", "library/std/", "library/core/",
    ]

    /// Folders of package managers and of languages that may be anywhere.
    private static let parts = [
        "/site-packages/", "/dist-packages/", "/lib/python2.", "/lib/python3.", "/node_modules/", "/.cargo/registry/",
        "/.cargo/git/", "/.rustup/", "/go/pkg/mod/", "/vendor/", "/.build/checkouts/", "/swift/stdlib/", "/gems/",
        "/lib/ruby/", "/perl5/", "/include/c++/",
    ]

    /// Java names a class's file without a folder; the class is in the function.
    private static let languagePrefixes = [
        "java.", "javax.", "jdk.", "sun.", "com.sun.", "kotlin.", "scala.", "std::", "core::", "alloc::", "__gnu_cxx::",
        "runtime.", "syscall.", "internal/",
    ]

    /// What runs before main, and what a static executable has of the C library.
    private static func isOfCLibrary(_ function: String) -> Bool {
        function.hasPrefix("__") || calls.contains(function)
    }

    private static let calls: Set<String> = [
        "_start", "start_thread", "clone3", "socket", "connect", "bind", "listen", "sendto", "sendmsg", "sendmmsg",
        "setsockopt", "ioctl", "syscall", "write",
    ]

    /// Go with -trimpath: packages of its own library, and modules with their version.
    private static func isOfGo(_ file: String) -> Bool {
        guard file.hasSuffix(".go"), !file.hasPrefix("/") else {
            return file.hasSuffix(".go") && file.contains("/go/src/")
        }
        let first = file.split(separator: "/").first.map(String.init) ?? ""
        return file.contains("@v")
            || file.contains("/")
                && [
                    "bufio", "bytes", "context", "crypto", "database", "encoding", "fmt", "io", "log", "net", "os",
                    "reflect",
                    "runtime", "sync", "syscall", "time",
                ].contains(first)
    }

    /// Whether the code is the executable's, and that is no interpreter.
    fileprivate var isOfProgram: Bool {
        module.map { !Self.isSharedObject($0) && !Self.isInterpreter($0) } ?? false
    }

    /// Its own functions say nothing of the program that it runs.
    private static func isInterpreter(_ module: String) -> Bool {
        let name = baseName(module)
        // libpython3.11.so.1.0
        let isLibrary = name.hasPrefix("lib") && name.contains(".so")
        return interpreters.contains(String(name.dropFirst(isLibrary ? 3 : 0).prefix { $0.isLetter }))
    }

    private static let interpreters: Set = [
        "python", "node", "ruby", "perl", "php", "java", "jvm", "lua", "luajit", "bash", "dash", "sh", "tclsh", "guile",
    ]

    /// `libc.so.6`, `ld-linux-x86-64.so.2`, `module.cpython-311-x86_64-linux-gnu.so`; a user's own library is in another folder.
    private static func isSharedObject(_ module: String) -> Bool {
        let name = baseName(module)
        let folder = module.dropLast(name.count)
        return (name.hasSuffix(".so") || name.contains(".so."))
            && (["/usr/", "/lib", "/opt/swift/"].contains(where: folder.hasPrefix)
                || parts.contains(where: module.contains))
    }
}

extension [StackFrame] {
    /// The frame that the user can change: the innermost that is not a library's, a line of source before one without. If all are of
    /// libraries (a program that a package manager installed), the outermost of the program itself. `nil` if there are none.
    package var own: StackFrame? { fromOwn.first }

    /// That frame and those that called it.
    package var fromOwn: ArraySlice<StackFrame> {
        let place =
            firstIndex { !$0.isOfLibrary && $0.line != nil } ?? firstIndex { !$0.isOfLibrary }
            ?? lastIndex { $0.module == nil && $0.line != nil && $0.file?.hasPrefix("<") != true }
        if let place { return self[place...] }
        // Of an interpreter that told nothing, and of a thread in libraries alone, the program is all that is known.
        guard let outermost = lastIndex(where: \.isOfProgram) else { return [] }
        return self[outermost...]
    }
}
