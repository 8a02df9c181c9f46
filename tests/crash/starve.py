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
import hashlib, json, os, pathlib, re, shutil, subprocess, sys, tempfile

conformance = pathlib.Path(__file__).resolve().parent.parent / "conformance"
COPIES = {"m-invariance", "j-similarity"}  # whose audits read the holder's copies
SERIES = {"bcf", "m-invariance", "j-similarity"}
ENVIRONMENT = {**os.environ, "LC_ALL": "C", "SOURCE_DATE_EPOCH": "1714564800"}
LOUD = re.compile(r"a bug of reissue|unforeseen|Assertion|terminate called")


class Served:
    """A command that is loaded once, and run again and again: in any directory; or, where there are first calls for
    memory after which it may be copied, in the one directory `at`."""

    def __init__(self, library, command, first=0, at=None, **settings):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, cwd=at,
                                        env={**ENVIRONMENT, "LD_PRELOAD": library, "SERVE": str(first), **settings})

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


class Case:
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
        count, fresh = self.folder / "count", self.folder / "fresh"
        fresh.mkdir()
        served = Served(self.library, [self.program, *self.command], COUNT_FILE=str(count))
        served.run(fresh)
        served.end()
        self.total = int(count.read_text())
        self.served, self.seen = {}, {}

    def serve(self, command, at, n=0):
        """As `run`, of a process that is kept for the next time."""
        if tuple(command) not in self.served:
            self.served[tuple(command)] = Served(self.library, [self.program, *command])
        return self.served[tuple(command)].run(at, n)

    def end(self):
        for served in self.served.values():
            served.end()
        self.served = {}

    def publishing(self, number):
        copy = ["--holder-copy", f"H{number}.csv"] if self.model in COPIES else []
        return ["publish", "--no-passphrase", "--seed", "7", "--vault", "vault", "--policy",
                str(self.case / "policy.toml"), str(self.case / ("first.csv" if number == 1 else "second.csv")),
                "--out", f"R{number}.csv", *self.prior, *copy, "--threads", str(self.threads)]

    def run(self, command, at, **settings):
        """Status (None: it hangs), standard output, standard error."""
        preload = {"LD_PRELOAD": self.library} if settings else {}
        try:
            done = subprocess.run([self.program, *command], cwd=at, capture_output=True, timeout=120, text=True,
                                  errors="replace", env={**ENVIRONMENT, **preload, **settings})
            return done.returncode, done.stdout, done.stderr
        except subprocess.TimeoutExpired:
            return None, "", ""

    @staticmethod
    def names(folder):
        """Of all files in a folder but the vault and marks."""
        return {p.name for p in folder.iterdir() if p.name != "vault" and not re.fullmatch(r"\.reissue-.*\.mark", p.name)}

    def fail(self, n, served, work):
        """Whether it mattered that the n-th request was missed, and what is wrong then, if anything."""
        status, out, err = served.run(work, n)
        said = f"ended {status}: {(out + err)[-400:]}"
        if status not in (0, 4) or LOUD.search(err) or (status == 4 and not err.strip()):
            return True, said
        if status == 0 and self.verb == "audit" and out != self.reference[1]:
            return True, f"another answer: {said}"
        if self.verb == "audit" or not any(work.iterdir()):
            return status != 0, None
        # Random numbers are the same in all runs: what has the same bytes is the same, and is looked at once.
        state = status, self.state(work)
        if state not in self.seen:
            self.seen[state] = self.check(work, status)
        return status != 0, self.seen[state] and f"{self.seen[state]}; {said}"

    @staticmethod
    def state(work):
        """All there is in a folder, but for numbers of processes and what is worth nothing."""
        whole = hashlib.blake2b()
        for path in sorted(work.rglob("*")):
            content = b"" if path.is_dir() or path.name in ("lock", "vault.db-shm") else path.read_bytes()
            whole.update(f"{path.relative_to(work)} {path.stat().st_mode} {len(content)}\n".encode() + content)
        return whole.hexdigest()

    @staticmethod
    def clear(work):
        shutil.rmtree(work)
        for kind in ("out", "err"):
            pathlib.Path(f"{work}.{kind}").unlink(missing_ok=True)

    def check(self, work, status):
        """What is wrong with what a disturbed publication has left, if anything."""
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
        return self.verify(work, [1] * first + [2] * second)

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

    def first_trace(self):
        """The first request that, missed, leaves something on the disk; all audits leave nothing."""
        low, high = 1, self.total
        while self.verb == "publish" and low < high:
            middle, work = (low + high) // 2, self.folder / "trace"
            work.mkdir()
            self.serve(self.command, work, middle)
            low, high = (low, middle) if any(work.iterdir()) else (middle + 1, high)
            self.clear(work)
        return low if self.verb == "publish" else high

    def fail_each(self, every=1, first=1):
        """How many requests were missed, in how many runs it mattered, and faults."""
        tried, harmed, faults, work = 0, 0, [], self.folder / "work"
        work.mkdir()
        # Where there are threads, it cannot be copied once it runs.
        copied = self.first_trace() - 10 if self.threads == 1 else 0
        served = Served(self.library, [self.program, *self.command], max(copied, 0), work)
        for n in range(first, self.total + 1, every):
            noticed, wrong = self.fail(n, served, work)
            tried += 1
            harmed += noticed
            if wrong:
                faults.append(f"{self.verb}, request {n} of {self.total}: {wrong}")
            for path in work.iterdir():
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        if tried > 0 and harmed == 0:
            faults.append(f"{self.verb}: nothing was harmed: is the library loaded?")
        served.end()
        self.end()
        return tried, harmed, faults


if __name__ == "__main__":
    library, program, model, verb, *numbers = sys.argv[1:]
    every, threads = (*map(int, numbers), *[1, 1][len(numbers):])
    base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=base, prefix="reissue-memory-") as folder:
        case = Case(library, program, model, verb, folder, threads)
        tried, harmed, faults = case.fail_each(every)
    print("\n".join(faults))
    print(f"{model} {verb}: {case.total} requests, {tried} missed, {harmed} runs harmed, {len(faults)} faults")
    sys.exit(1 if faults else 0)
