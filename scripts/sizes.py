"""Small tables of any size, their policies, and what a process takes: what scripts/growth and scripts/cliffs share."""
import itertools, math, os, random, resource, subprocess, tempfile


BASE = {"rows": 10_000, "quasi": 4, "values": 10, "leaves": 10, "numbers": 0}


def measure(limit, *command, fine=(0,), said=os.devnull):
    """(processor seconds, peak MB, why it ended early or None) of a process; it is early unless the status is
    `fine`. What it prints goes into the file `said`. Where it needs less memory than this one has, that is what
    is told: tables are never in memory here."""
    def bound():
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(limit), math.ceil(limit)))

    with tempfile.TemporaryFile() as told, open(said, "w") as out:
        process = subprocess.Popen([str(c) for c in command], stdout=out, stderr=told, preexec_fn=bound)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        told.seek(0)
        words = told.read().decode().strip().splitlines()
    end = None
    if process.returncode < 0:
        end = f"more than {limit:g} s"
    elif process.returncode not in fine:
        end = words[0] if words else f"status {process.returncode}"
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, end


def taxonomy(file, leaves):
    """A tree in which every node has four children."""
    with open(file, "w") as out:
        for leaf in range(leaves):
            path, node, level, width = [f"v{leaf}"], leaf, 0, leaves
            while width > 4:
                node, level, width = node // 4, level + 1, (width + 3) // 4
                path.append(f"g{level}-{node}")
            out.write(";".join(path + ["*"]) + "\n")


def table(file, size, rows, seed=1):
    """Rows of which each has a leaning of its own: half of its values follow it, the others are drawn.
    Sensitive values are dealt like cards: all of them equally often."""
    draw = random.Random(seed)
    uniform, quasi, leaves, numbers = draw.random, size["quasi"], size["leaves"], size["numbers"]
    values, dealt = [f"s{i}" for i in range(size["values"])], []
    names = [f"q{i}" for i in range(quasi)] + (["number"] if numbers else [])
    with open(file, "w") as out:
        out.write(",".join(["id"] + names + ["class", "s"]) + "\n")
        for row in range(rows):
            own = uniform()
            fields = [str(row)]
            for _ in range(quasi):
                fields.append(f"v{int(leaves * (own if uniform() < 0.5 else uniform()) ** 2)}")
            if numbers:
                fields.append(str(row % numbers))
            fields.append("yes" if own < 0.3 else "no")
            dealt = dealt or draw.sample(values, len(values))
            fields.append(dealt.pop())
            out.write(",".join(fields) + "\n")


def columns(model, size):
    lines = ["[columns]", 'id = { role = "identifier" }', 'class = { role = "publish" }', 's = { role = "sensitive" }']
    lines += [f'q{i} = {{ role = "quasi", taxonomy = "tree.csv" }}' for i in range(size["quasi"])]
    if size["numbers"]:
        lines.append('number = { role = "quasi", type = "numeric" }')
    if model in ("bcf", "m-invariance", "j-similarity"):
        lines[2] = 'class = { role = "drop" }'
    return lines


def policy(folder, model, size):
    x = [f"q{i}" for i in range(size["quasi"])] + (["number"] if size["numbers"] else [])
    promise = {
        "k": ["k = 5"],
        "bcf": ["k = 5"],
        "m-invariance": ["m = 2"],
        "j-similarity": ["k = 3", "j = 0.6", "t = 0.9"],
        "xy": ["[[guarantee.anonymity]]", f"x = {[*x, 'prior.q0', 'prior.q1']}", 'y = ["key"]', "k = 5",
               "[[guarantee.linkability]]", f"x = {x}", 'y = { "prior.s" = ["s0"] }', "confidence = 0.9"],
    }[model]
    taxonomy(folder / "tree.csv", size["leaves"])
    lines = columns(model, size) + ["[guarantee]", f'model = "{model}"'] + promise
    (folder / "policy.toml").write_text("\n".join(lines) + "\n")
    return folder / "policy.toml"


def pick(source, file, keep):
    """Some columns of a table."""
    with open(source) as lines, open(file, "w") as out:
        places = None
        for line in lines:
            fields = line.rstrip("\n").split(",")
            places = places or [i for i, name in enumerate(fields) if keep(name)]
            out.write(",".join(fields[i] for i in places) + "\n")


def tables(folder, model, size):
    """(table, more arguments) of each release. A tenth of the first table comes each time; unless the table
    only grows, as many leave."""
    if model == "xy":  # readers have two columns already, and the sensitive values
        table(folder / "all.csv", size, size["rows"])
        pick(folder / "all.csv", folder / "prior.csv", lambda name: name in ("q0", "q1", "s"))
        pick(folder / "all.csv", folder / "table.csv", lambda name: name != "s")
        yield folder / "table.csv", ["--prior", folder / "prior.csv"]
        return
    tenth = max(size["rows"] // 10, 1)
    table(folder / "all.csv", size, size["rows"] + tenth * (size["releases"] - 1))
    for i in range(size["releases"]):
        with open(folder / "all.csv") as lines, open(folder / "table.csv", "w") as out:
            out.write(next(lines))
            out.writelines(itertools.islice(lines, 0 if model == "bcf" else i * tenth, size["rows"] + i * tenth))
        yield folder / "table.csv", []
