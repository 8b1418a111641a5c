// SPDX-License-Identifier: Apache-2.0
import Origins
import Testing

@Suite struct `The sources of a class` {
    @Test(arguments: [
        ("/app/Api.class", "/app/Api.java"), ("/app/Api$Transport$1.class", "/app/Api.java"),
        ("/app/target/classes/shop/Api.class", "/app/src/main/java/shop/Api.java"),
        ("/app/build/classes/java/main/shop/Api.class", "/app/src/main/java/shop/Api.java"),
        ("/app/build/classes/kotlin/main/shop/ApiKt.class", "/app/src/main/kotlin/shop/Api.kt"),
        ("/app/bin/shop/Api.class", "/app/src/shop/Api.java"), ("/app/out/shop/Api.class", "/app/shop/Api.java"),
    ])
    func `are where its build tool takes them from`(_ path: String, _ source: String) {
        #expect(ClassFile.sources(of: path).contains(source))
    }

    @Test(arguments: ["/.class", "/app/$.class"]) func `are none of a strange name, and nothing traps`(_ path: String) {
        _ = ClassFile.sources(of: path)
    }
}
