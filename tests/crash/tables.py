#!/usr/bin/env python3
# Publishes a release as a table of a real server, again and again, and kills the program, the server or both,
# each time one step later: before and after everything that is written to a file or sent to the server. Afterwards the
# vault and the server must say the same, and the series must go on.
#   tables.py LIBRARY PROGRAM NOTE [--every N] [--first N] [--planted]
# LIBRARY: the built kill_at.so; NOTE: of tests/postgres/servers, which have been started. --every: each N-th step;
# --planted: the server keeps what it should take back: that must be noticed.
import argparse, json, os, pathlib, shutil, subprocess, sys, tempfile

here = pathlib.Path(__file__).resolve().parent
servers = here.parent / "postgres/servers"
SERVER = "3"


class Harm:
    """Who falls, and when."""

    def __init__(self, name, program=None, server=None, before=False):
        self.name, self.program, self.server = name, program, server
        self.falls_later = before  # the server falls once the program is dead


HARMS = [
    Harm("program killed before", program="KILL_AT"),
    Harm("program killed after", program="KILL_AFTER"),
    Harm("program killed before, then the server", program="KILL_AT", before=True),
    Harm("program killed after, then the server", program="KILL_AFTER", before=True),
    Harm("server killed before", server="CALL_AT"),
    Harm("server killed after", server="CALL_AFTER"),
    Harm("server restarted before", server="CALL_AT", before=True),
]


class Tables:
    def __init__(self, library, program, note):
        self.library, self.program, self.note = library, program, note
        lines = dict(line.split("=", 1) for line in pathlib.Path(note).read_text().splitlines())
        self.conninfo = lines[f"REISSUE_PG{SERVER}"]
        self.psql = lines["REISSUE_PG_BIN"] + "/psql"
        self.crash = f"'{servers}' crash '{note}' {SERVER}"
        self.revive = f"'{servers}' revive '{note}' {SERVER}"

    def sql(self, text):
        done = subprocess.run([self.psql, "-XqAtw", "-v", "ON_ERROR_STOP=1", "-d", self.conninfo],
                              input="SET client_min_messages = error;" + text, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"psql: {done.stderr}")
        return done.stdout.split()

    def publish(self, folder, table, name, harm=None):
        command = [self.program, "publish", "--no-passphrase", "--vault", "vault", "--policy",
                   here / "series/policy.toml", here / "series" / table, "-d", self.conninfo, "--out-table", name]
        env = {**os.environ, **({"LD_PRELOAD": self.library, "SENDS": "1", **harm} if harm else {})}
        done = subprocess.run([str(word) for word in command], cwd=folder, env=env, capture_output=True, text=True,
                              timeout=120)
        return done.returncode, done.stdout + done.stderr

    def history(self, folder):
        done = subprocess.run([self.program, "history", "--vault", "vault", "-d", self.conninfo, "--format", "json"],
                              cwd=folder, capture_output=True, text=True, timeout=60)
        return (json.loads(done.stdout)["releases"], "") if done.returncode == 0 else (None, done.stdout + done.stderr)

    def there(self):
        return self.sql("SELECT relname FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace "
                        "WHERE nspname = 'w' AND relkind = 'r' ORDER BY 1;")

    def alive(self):
        return subprocess.run([self.psql, "-XqAtw", "-d", self.conninfo, "-c", "SELECT 1"],
                              capture_output=True).returncode == 0

    def run(self, folder, number, harm, planted):
        """What is wrong after a publication that was harmed at this step; empty: nothing."""
        self.sql("DROP SCHEMA IF EXISTS w CASCADE; CREATE SCHEMA w;")
        env = {}
        if harm.program:
            env[harm.program] = str(number)
        if harm.server:
            env |= {harm.server: str(number), "CALL": self.crash + (" && " + self.revive if harm.falls_later else "")}
        status, said = self.publish(folder, "first.csv", "w.r1", env)
        if harm.program and harm.falls_later:
            subprocess.run(self.crash, shell=True, check=True)
        if not self.alive():
            # Nobody can be asked: where something is open, it is said, and nothing is guessed.
            silent, _ = self.publish(folder, "first.csv", "w.other") if (folder / "vault/vault.db").exists() else (4, "")
            if silent == 0:
                return "a release was published while the server was down"
            subprocess.run(self.revive, shell=True, check=True)
        if status not in (0, 4, -9) and not (status == 3 and harm.server):
            return f"it ended with {status}: {said[-300:]}"
        if planted:
            self.sql("CREATE TABLE IF NOT EXISTS w.r1 (planted text);")
        return self.check(folder, status)

    def check(self, folder, status):
        there = self.there()
        begun = (folder / "vault/vault.db").exists()
        known, said = self.history(folder) if begun else ([], "")
        if known is None:
            return f"the history cannot be read: {said[-300:]}"
        names = [entry["table"] for entry in known]
        if names != [f"w.{name}" for name in there]:
            return f"the vault knows {names}, the server has {there}"
        if status == 0 and names != ["w.r1"]:
            return "success was told of a release that is not there"
        rows = self.sql("SELECT count(*) FROM w.r1;") if names else []
        if names and int(rows[0]) != known[0]["rows"]:
            return f"the table has {rows[0]} rows, and the vault says {known[0]['rows']}"
        # The series goes on with the release that is next, and clears up.
        table, name = ("second.csv", "w.r2") if names else ("first.csv", "w.again")
        status, said = self.publish(folder, table, name)
        if status != 0:
            return f"the next release cannot be published: {status}: {said[-300:]}"
        known, said = self.history(folder)
        if [entry["table"] for entry in known] != names + [name]:
            return f"after the next release the vault knows {[entry['table'] for entry in known]}"
        left = [path.name for path in folder.iterdir() if path.name.endswith(".tmp")]
        if left:
            return f"left behind: {left}"
        missing = [n for n in names + [name] if not (folder / f"{n}.certificate.json").exists()]
        return f"without certificate: {missing}" if missing else ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("library")
    parser.add_argument("program")
    parser.add_argument("note")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--planted", action="store_true")
    args = parser.parse_args()
    tables = Tables(*(os.path.abspath(path) for path in (args.library, args.program, args.note)))
    base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    work = pathlib.Path(tempfile.mkdtemp(dir=base, prefix="reissue-tables-"))
    try:
        (work / "whole").mkdir()
        tables.sql("DROP SCHEMA IF EXISTS w CASCADE; CREATE SCHEMA w;")
        status, said = tables.publish(work / "whole", "first.csv", "w.r1", {"COUNT_FILE": str(work / "count")})
        if status != 0:
            sys.exit(f"it fails even unharmed ({status}):\n{said}")
        total = int((work / "count").read_text())
        runs = faults = 0
        for harm in HARMS:
            tried = 0
            for number in range(args.first, total + 1, args.every):
                folder = work / "run"
                folder.mkdir()
                wrong = tables.run(folder, number, harm, args.planted)
                shutil.rmtree(folder)
                tried += 1
                if wrong:
                    faults += 1
                    print(f"{harm.name} step {number} of {total}: {wrong}", flush=True)
            runs += tried
            print(f"{harm.name}: {tried} runs", flush=True)
        tables.sql("DROP SCHEMA IF EXISTS w CASCADE;")
        print(f"{total} steps, {runs} runs, {faults} mismatches")
        return 1 if faults else 0
    finally:
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
