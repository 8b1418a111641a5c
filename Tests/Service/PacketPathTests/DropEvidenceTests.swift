import Evidence
import Testing
import Translation

@testable import PacketPath

@Suite struct DropEvidenceTests {
    @Test(
        arguments: [
            (.nonGlobalIPv4, .nonGlobal), (.portsExhausted, .limit), (.hostQuotaExceeded, .limit),
            (.fragmentStoreFull, .limit), (.filtered, .routing), (.truncated, .routing), (.illegalSource, .routing),
            (.fragmentsExpired, .routing), (.unsupportedTransport, .untranslatable),
            (.icmpTypeNotTranslated, .untranslatable), (.illegalDestination, .background),
        ] as [(DropReason, Evidence.Refusal.Kind)])
    func `a drop reason is of the kind that its sentence says`(
        _ reason: DropReason, _ kind: Evidence.Refusal.Kind
    ) {
        #expect(reason.kind == kind)
    }
}
