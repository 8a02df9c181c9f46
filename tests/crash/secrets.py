#!/usr/bin/env python3
# Looks for passphrases and keys of a vault in the memory of the program: while the vault is open
# they are in locked memory that no core file has, and nowhere else; at exit they are nowhere. Parts
# of them count. And no core file can be made of the program.
#
#   secrets.py LIBRARY PROGRAM [--few|--planted]
#
# LIBRARY     the built image.so
# --few       two publications alone
# --planted   the passphrase is also the name of a file, and keys lie open in a vault without a
#             passphrase: that must be found
import ctypes, os, pathlib, pty, re, resource, select, shutil, sqlite3, subprocess, sys, tempfile

conformance = pathlib.Path(__file__).resolve().parent.parent / "conformance"
PIECE, STEP = 8, 4  # of a secret, wherever it begins: 11 bytes in a row cannot be missed
FIRST = "dovetail-quarrel-Lindau-47-umbrage-kiosk"
SECOND = "plinth;weasel;Oberon;1913;tangible;moth"
# Flags of memory that is locked and in no core file; some machines let nobody lock any.
KEPT = {"lo", "dd"} if os.geteuid() == 0 or resource.getrlimit(resource.RLIMIT_MEMLOCK)[0] >= 1 << 20 else {"dd"}
sodium = ctypes.CDLL("libsodium.so.23")
sodium.sodium_init()


def keys_of(vault, passphrase):
    """All keys of a vault by name, made anew as docs/formats/vault.md says."""
    database = sqlite3.connect(f"file:{vault}/vault.db?mode=ro", uri=True)
    id_, wrapped, salt, operations, memory, key = database.execute(
        "SELECT id, wrapped, salt, operations, memory, key FROM vault").fetchone()
    database.close()
    keys, data = {}, ctypes.create_string_buffer(32)
    if wrapped:
        wrapping, length = ctypes.create_string_buffer(32), ctypes.c_ulonglong()
        text = passphrase.encode()
        if sodium.crypto_pwhash(wrapping, ctypes.c_ulonglong(32), text, ctypes.c_ulonglong(len(text)), salt,
                                ctypes.c_ulonglong(operations), ctypes.c_size_t(memory), 2) != 0:
            sys.exit("no memory for Argon2id")
        about = b"reissue data key 3" + id_
        if sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(
                data, ctypes.byref(length), None, key[24:], ctypes.c_ulonglong(len(key) - 24), about,
                ctypes.c_ulonglong(len(about)), key[:24], wrapping) != 0:
            sys.exit("the key does not open: has the format of vaults changed?")
        keys["wrapping key"] = wrapping.raw
    else:
        data.raw = key
    keys["data key"] = data.raw
    for number in range(1, 7):
        subkey = ctypes.create_string_buffer(32)
        sodium.crypto_kdf_derive_from_key(subkey, 32, ctypes.c_uint64(number), b"reissueV", data)
        keys[f"subkey {number}"] = subkey.raw
    return keys


class Image:
    """What image.c wrote: mappings (address, flags, name, bytes up to the last that is not zero)."""

    def __init__(self, file):
        self.mappings = []
        with open(file, "rb") as image:
            self.core, self.dumpable = map(int, image.readline().split())
            while line := image.readline():
                begin, size, flags, name = line.decode(errors="replace").rstrip("\n").split(" ", 3)
                self.mappings.append((int(begin, 16), set(flags.split(",")), name, image.read(int(size)).rstrip(b"\0")))
        file.unlink()

    def find(self, secret):
        """Mappings that have a piece of it: where, and whether that is locked and in no core file."""
        pieces = [secret[begin:begin + PIECE] for begin in range(0, len(secret) - PIECE + 1, STEP)]
        for address, flags, name, data in self.mappings:
            places = [at for piece in pieces if (at := data.find(piece)) >= 0]
            if places:
                yield f"{name or 'anonymous memory'} at {address + min(places):#x}", KEPT <= flags


class Run:
    """Runs the program in a folder, and says what is found in its memory."""

    def __init__(self, library, program, folder):
        self.library, self.program, self.folder = library, program, pathlib.Path(folder)
        self.faults, self.looked, self.locked = [], 0, 0

    def run(self, words, secrets, status=0, typed=None, passphrase=None, new=None):
        """`secrets`: by name, or what makes them once the program has ended."""
        image = self.folder / "image"
        env = {k: v for k, v in os.environ.items() if not k.startswith("REISSUE_")}
        env |= {"LD_PRELOAD": self.library, "IMAGE": str(image), "LC_ALL": "C"}
        for variable, text in (("REISSUE_PASSPHRASE_FILE", passphrase), ("REISSUE_NEW_PASSPHRASE_FILE", new)):
            if text:
                file = self.folder / f"{variable}.txt"
                file.write_text(text + "\n")
                file.chmod(0o600)
                env[variable] = str(file)
        ended, said = self.on_terminal(words, env, typed) if typed else self.plainly(words, env)
        what = " ".join(words[:2] if words[0] in ("vault", "key") else words[:1])
        if ended != status:
            sys.exit(f"{what} ends {ended}, not {status}: {said}")
        secrets = secrets() if callable(secrets) else secrets
        for moment in ("open", "exit"):
            if (file := self.folder / f"image.{moment}").exists():
                self.look(Image(file), secrets, f"{what}{' on a terminal' if typed else ''}, {moment}", moment == "open")
            elif moment == "exit":
                self.faults.append(f"{what}: no memory was written down: is the library loaded?")

    def plainly(self, words, env):
        done = subprocess.run([self.program, *words], cwd=self.folder, env=env, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, start_new_session=True)
        return done.returncode, done.stdout + done.stderr

    def on_terminal(self, words, env, typed):
        child, terminal = pty.fork()
        if child == 0:
            os.chdir(self.folder)
            os.execve(self.program, [self.program, *words], env)
        said = b""
        for answer in typed:
            while not re.search(rb"(assphrase [^\n]*|once more): $", said):
                if not select.select([terminal], [], [], 60)[0]:
                    sys.exit(f"the program does not ask: {said}")
                said += os.read(terminal, 4096)
            os.write(terminal, answer.encode() + b"\n")
            said = b""
        try:
            while more := os.read(terminal, 4096):
                said += more
        except OSError:
            pass  # its other end is closed
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), said.decode(errors="replace")

    def look(self, image, secrets, what, may_be_locked):
        self.looked += 1
        if image.core != 0 or image.dumpable != 0:
            self.faults.append(f"{what}: core files up to {image.core}, dumpable {image.dumpable}")
        for name, secret in secrets.items():
            for where, kept in image.find(secret):
                self.locked += kept
                if not (kept and may_be_locked):
                    self.faults.append(f"{what}: {name} in {where}{', locked' if kept else ''}")


def work(run, few, planted):
    for path in (conformance / "bcf").iterdir():
        shutil.copy(path, run.folder)
    vault = run.folder / "vault"
    of = lambda *texts: {f"passphrase {i + 1}": text.encode() for i, text in enumerate(texts)}
    publish = lambda number, *more: ["publish", "--vault", "vault", "--policy", "policy.toml", "--out", f"R{number}.csv",
                                     "first.csv" if number == 1 else "second.csv", *more]
    if planted:
        run.run([*publish(1), "--no-passphrase"], lambda: keys_of(vault, None))
        shutil.rmtree(vault)
        run.run(["publish", "--vault", "vault", "--policy", "policy.toml", "--out", f"{FIRST}.csv", "first.csv"], of(FIRST),
                passphrase=FIRST)
        return
    run.run(publish(1), lambda: of(FIRST) | keys_of(vault, FIRST), passphrase=FIRST)
    known = of(FIRST, SECOND) | keys_of(vault, FIRST)
    run.run(publish(2), known, passphrase=FIRST)
    if few:
        return
    run.run(["vault", "check", "vault"], known, typed=[FIRST])
    run.run(["key", "show", "vault"], known, passphrase=FIRST)
    run.run(["vault", "export", "vault", "export"], known, passphrase=FIRST)
    run.run(["vault", "import", "export", "imported"], known, passphrase=FIRST)
    run.run(["vault", "check", "vault"], known, status=3, passphrase=SECOND)
    run.run(["vault", "passphrase", "vault"], lambda: known | keys_of(vault, SECOND), typed=[FIRST, SECOND, SECOND])
    run.run(["vault", "passphrase", "vault"], known | keys_of(vault, SECOND), passphrase=SECOND, new=FIRST)


if __name__ == "__main__":
    library, program, *more = [*map(os.path.abspath, sys.argv[1:3]), *sys.argv[3:]]
    base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=base, prefix="reissue-secrets-") as folder:
        run = Run(library, program, folder)
        work(run, "--few" in more, "--planted" in more)
    print("\n".join(run.faults))
    print(f"{run.looked} images, {run.locked} secrets in locked memory, {len(run.faults)} faults")
    if run.locked == 0 and "--planted" not in more:
        sys.exit("not even the locked ones were found: is it looked for the right thing?")
    sys.exit(1 if run.faults else 0)
