#!/usr/bin/env python3
# Runs `publish` or `audit` of a case of tests/conformance again and again, and lets memory run out
# one request later than before. It ends with status 4 and words, or as if nothing had happened, to
# the byte; never by a signal, never with another answer. A publication has happened with everything
# that belongs to it, or not at all, and the next one comes to be.
#
#   starve.py LIBRARY PROGRAM MODEL publish|audit [EVERY [THREADS]]
#
# LIBRARY   the built fail_alloc.so
# EVERY     only each EVERY-th request; default 1: all of them
import json, os, pathlib, re, shutil, subprocess, sys, tempfile

conformance = pathlib.Path(__file__).resolve().parent.parent / "conformance"
COPIES = {"m-invariance", "j-similarity"}  # whose audits read the holder's copies
SERIES = {"bcf", "m-invariance", "j-similarity"}
LOUD = re.compile(r"a bug of reissue|unforeseen|Assertion|terminate called")


class Served:
    """A command that is loaded once, and run again and again in one directory or another."""

    def __init__(self, library, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0,
                                        env={**os.environ, "LC_ALL": "C", "LD_PRELOAD": library, "SERVE": "1"})

    def run(self, at, n=0):
        """Status (negative: a signal), standard output, standard error; at the n-th request memory runs out."""
        self.process.stdin.write(f"{n} {at}\n".encode())
        ended = int(self.process.stdout.readline())
        said = [pathlib.Path(f"{at}.{kind}").read_text(errors="replace") for kind in ("out", "err")]
        return os.waitstatus_to_exitcode(ended), *said

    def end(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


class Starved:
    """A small publication or audit of a model, in a folder for itself."""

    def __init__(self, library, program, model, verb, folder, threads=1):
        self.library, self.program, self.model, self.verb = str(library), str(program), model, verb
        self.folder, self.threads = pathlib.Path(folder), threads
        self.case = conformance / model
        self.prior = ["--prior", str(self.case / "prior.csv")] if model == "xy" else []
        whole = self.folder / "whole"
        whole.mkdir(parents=True)
        self.reference = self.run(self.publishing(1), whole)
        if self.reference[0] != 0:
            sys.exit(f"{model}: cannot even publish\n{self.reference[2]}")
        self.files = {name: (whole / name).read_bytes() for name in self.names(whole)}
        self.command = self.publishing(1)
        if verb == "audit":
            self.command = ["audit", "--policy", str(self.case / "policy.toml"), *self.prior,
                            "--threads", str(threads), str(whole / ("H1.csv" if model in COPIES else "R1.csv"))]
            self.reference = self.run(self.command, whole)
        # How many requests there are: fewer where a first run has left nothing to make.
        count, fresh = self.folder / "count", self.folder / "fresh"
        fresh.mkdir()
        self.run(self.command, fresh, COUNT_FILE=str(count))
        self.total = int(count.read_text())
        self.served = {}

    def serve(self, command, at, n=0):
        """As `run`, of a process that is kept for the next time."""
        if tuple(command) not in self.served:
            self.served[tuple(command)] = Served(self.library, [self.program, *command])
        return self.served[tuple(command)].run(at, n)

    def publishing(self, number):
        copy = ["--holder-copy", f"H{number}.csv"] if self.model in COPIES else []
        return ["publish", "--no-passphrase", "--seed", "7", "--vault", "vault", "--policy",
                str(self.case / "policy.toml"), str(self.case / ("first.csv" if number == 1 else "second.csv")),
                "--out", f"R{number}.csv", *self.prior, *copy, "--threads", str(self.threads)]

    def run(self, command, at, **settings):
        """Status, standard output, standard error."""
        preload = {"LD_PRELOAD": self.library} if settings else {}
        done = subprocess.run([self.program, *command], cwd=at, capture_output=True, timeout=120, text=True,
                              errors="replace", env={**os.environ, "LC_ALL": "C", **preload, **settings})
        return done.returncode, done.stdout, done.stderr

    @staticmethod
    def names(folder):
        """Of all files in a folder but the vault and marks."""
        return {p.name for p in folder.iterdir() if p.name != "vault" and not re.fullmatch(r"\.reissue-.*\.mark", p.name)}

    def fail(self, n):
        """Whether the n-th request was missed, and what is wrong then, if anything."""
        work = self.folder / str(n)
        work.mkdir()
        try:
            status, out, err = self.serve(self.command, work, n)
            said = f"ended {status}: {(out + err)[-400:]}"
            if status not in (0, 4) or LOUD.search(err) or (status == 4 and not err.strip()):
                return True, said
            if status == 0 and self.verb == "audit" and out != self.reference[1]:
                return True, f"another answer: {said}"
            wrong = self.check(work, status, n % 50 == 0) if self.verb == "publish" and any(work.iterdir()) else None
            return status != 0, wrong and f"{wrong}; {said}"
        finally:
            shutil.rmtree(work)

    def check(self, work, status, often):
        """What is wrong with what a publication has left, if anything."""
        first = (work / "R1.csv").exists()
        if status == 0 and not first:
            return "success was reported without R1.csv"
        if (work / "vault/vault.db").exists():
            listed, known, words = self.serve(["history", "--vault", "vault"], work)
            if listed != 0 or ("/R1.csv" in known) != first:
                return f"R1.csv exists: {first}, and the vault says ({listed}) {known}{words}"
        elif first:
            return "R1.csv without a vault"
        published, out, err = self.serve(self.publishing(2), work)
        second = self.model in SERIES or not first
        if published != (0 if second else 1) or LOUD.search(err):
            return f"the next publication ends {published}: {err}"
        expected = {name.replace("1", str(n), 1) for name in self.files for n in [1] * first + [2] * second}
        if self.names(work) != expected:
            return f"files are {sorted(self.names(work))}, not {sorted(expected)}"
        left = [p.name for p in (work / "vault").iterdir() if ".new" in p.name]
        if left:
            return f"left behind in the vault: {left}"
        for name, content in self.files.items():
            if first and "certificate" not in name and (work / name).read_bytes() != content:
                return f"{name} has other bytes"
        for copy in work.glob("H*.csv"):
            if copy.stat().st_mode & 0o777 != 0o600:
                return f"{copy.name} can be read by others"
        # Of the next one it is enough to look now and then.
        return self.verify(work, [1] * first + [2] * (second and often))

    def verify(self, work, numbers):
        keys = set()
        for i, number in enumerate(numbers):
            certificate = f"R{number}.csv.certificate.json"
            keys.add(json.loads((work / certificate).read_text())["series"]["key"])
            files = [f"R{n}.csv" for n in numbers[:i + 1]]
            copies = [w for n in numbers[:i + 1] for w in ("--holder-copy", f"H{n}.csv")]
            (work / "key").write_text(max(keys))
            status, out, err = self.serve(["verify", certificate, "--key", "key", *files, *self.prior,
                                           *(copies if self.model == "m-invariance" else [])], work)
            if status != (5 if self.model == "j-similarity" else 0):
                return f"{certificate} does not verify: {out}{err}"
        return "certificates of several keys" if len(keys) > 1 else None

    def fail_each(self, every=1, first=1):
        """How many requests were missed, how many runs that harmed, and faults."""
        tried, harmed, faults = 0, 0, []
        for n in range(first, self.total + 1, every):
            noticed, wrong = self.fail(n)
            tried += 1
            harmed += noticed
            if wrong:
                faults.append(f"{self.verb}, request {n} of {self.total}: {wrong}")
        if tried > 0 and harmed == 0:
            faults.append(f"{self.verb}: nothing was harmed: is the library loaded?")
        for served in self.served.values():
            served.end()
        self.served = {}
        return tried, harmed, faults


if __name__ == "__main__":
    library, program, model, verb, *numbers = sys.argv[1:]
    every, threads = (*map(int, numbers), *[1, 1][len(numbers):])
    base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=base, prefix="reissue-memory-") as folder:
        starved = Starved(library, program, model, verb, folder, threads)
        tried, harmed, faults = starved.fail_each(every)
    print("\n".join(faults))
    print(f"{model} {verb}: {starved.total} requests, {tried} missed, {harmed} runs harmed, {len(faults)} faults")
    sys.exit(1 if faults else 0)
