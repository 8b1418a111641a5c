// SPDX-License-Identifier: Apache-2.0
/// Drives an interactive shell on a terminal of its own, and answers what it shows.
package enum TerminalDialogue {
    /// A Python program. Its arguments: the words that stand for PROBE in what is typed, `@@`, and pairs of a regular expression that is waited
    /// for and of what is typed then. It prints all that was shown, and fails where something never was.
    package static let driver = """
        import os, pty, re, select, signal, sys, time
        # The threads of the tests' own runtime block signals, and their children inherit that.
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        words = sys.argv[1:]
        probe = " ".join(words[:words.index("@@")])
        steps = words[words.index("@@") + 1:]
        process, terminal = pty.fork()
        if process == 0:
            os.environ["PS1"] = "outer> "
            os.execvp("bash", ["bash", "--norc", "--noprofile", "--noediting", "-i"])
        seen, start = "", 0
        for index in range(0, len(steps), 2):
            deadline = time.monotonic() + 30
            while not (found := re.search(steps[index], seen[start:])) and time.monotonic() < deadline:
                if select.select([terminal], [], [], 0.1)[0]:
                    try:
                        seen += os.read(terminal, 65536).decode(errors="replace")
                    except OSError:
                        break
            if not found:
                sys.exit("never saw " + steps[index] + " in " + seen[start:] + " after " + seen[:start])
            start += found.end()
            typed = steps[index + 1].replace("PROBE", probe + " --").encode().decode("unicode_escape")
            # The shell is about to read.
            time.sleep(0.2)
            if typed:
                os.write(terminal, typed.encode())
        print(seen)
        os.kill(process, 9)
        """
}
