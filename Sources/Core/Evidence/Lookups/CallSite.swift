/// Where in a client a call stands.
package struct CallSite: Codable, Hashable, Sendable {
    /// The client or the child of it that called.
    package var program: String?
    /// The object that called (the executable or a library) and the offset of the call in it.
    package var module: String?
    package var offset: Int?

    package init(program: String? = nil, module: String? = nil, offset: Int? = nil) {
        self.program = program
        self.module = module
        self.offset = offset
    }
}
