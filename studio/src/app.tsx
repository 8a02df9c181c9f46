// The frame: rooms, what runs elsewhere, and whether the program is still there.
import { useEffect, useRef, useState } from "preact/hooks";
import { cancelJob, folder as readFolder, listJobs, onConnection, type Connection } from "./core/api";
import { onJobs } from "./core/jobs";
import { argumentsOf, commandText } from "./core/command";
import { roomAddress, rooms, useRoute, type RoomName } from "./core/route";
import { StudioContext } from "./core/studio";
import type { Folder, Job } from "./core/types";
import { AuditRoom } from "./rooms/audit";
import { PromiseRoom } from "./rooms/promise";
import { PublishRoom } from "./rooms/publish";
import { SeriesRoom } from "./rooms/series";
import { TableRoom } from "./rooms/table";
import { TaxonomiesRoom } from "./rooms/taxonomies";
import { Boundary } from "./ui/boundary";
import { some } from "./core/words";

const titles: Record<RoomName, { title: string; is: string; room: () => preact.JSX.Element }> = {
  table: { title: "Table", is: "What is in the table, and what each column is.", room: TableRoom },
  taxonomies: { title: "Taxonomies", is: "What values are called when they must be called less precisely.", room: TaxonomiesRoom },
  promise: { title: "Promise", is: "Which reader to be safe from, how safe, and at what cost.", room: PromiseRoom },
  audit: { title: "Audit", is: "Who is exposed by files that are published.", room: AuditRoom },
  publish: { title: "Publish", is: "The next release: first to look at, then for good.", room: PublishRoom },
  series: { title: "Series", is: "What was published, whether it holds, and what comes next.", room: SeriesRoom },
};

export function App() {
  const [route, choose] = useRoute();
  const [folder, setFolder] = useState<Folder | null>(null);
  const [revision, setRevision] = useState(0);
  const [connection, setConnection] = useState<Connection>("here");
  const [jobs, setJobs] = useState<Job[]>([]);
  const heading = useRef<HTMLHeadingElement>(null);
  const first = useRef(true);

  async function look() {
    setFolder(await readFolder());
  }
  async function changed() {
    await look().catch(() => {});
    setRevision((n) => n + 1);
  }

  useEffect(() => onConnection(setConnection), []);
  // Whether the program is there, and what it runs: at once, then now and then.
  useEffect(() => {
    look().catch(() => {});
    const beat = () => void listJobs().then(setJobs, () => {});
    beat();
    const timer = setInterval(beat, connection === "here" ? 10000 : 2000);
    let soon = 0;
    const deaf = onJobs(() => {
      clearTimeout(soon);
      soon = setTimeout(beat, 300);
    });
    return () => {
      clearInterval(timer);
      clearTimeout(soon);
      deaf();
    };
  }, [connection]);

  const { title, is, room: Room } = titles[route.room];
  useEffect(() => {
    document.title = `${title} – reissue studio`;
    if (first.current) first.current = false;
    else heading.current?.focus();
  }, [route.room]);

  return (
    <>
      <a
        class="skip"
        href="#content"
        onClick={(event) => {
          event.preventDefault();
          heading.current?.focus();
        }}
      >
        To the content
      </a>
      <header>
        <p class="brand">
          reissue <span class="quiet">studio</span>
        </p>
        <nav aria-label="Rooms">
          <ul>
            {rooms.map((name) => (
              <li key={name}>
                <a href={roomAddress(name, route.choices)} aria-current={name === route.room ? "page" : undefined}>
                  {titles[name].title}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </header>
      <Gone connection={connection} directory={folder?.directory ?? "DIR"} />
      <main id="content">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <p class="about">{is}</p>
        {folder ? (
          <StudioContext.Provider value={{ folder, revision, changed, route, choose }}>
            <Boundary key={route.room}>
              <Room />
            </Boundary>
          </StudioContext.Provider>
        ) : (
          connection === "here" && <p role="status">Looking into the folder …</p>
        )}
      </main>
      <footer>
        <Jobs jobs={jobs} />
        {folder && (
          <p>
            {folder.directory} · reissue {folder.version} · nothing leaves this machine
          </p>
        )}
      </footer>
    </>
  );
}

function Gone({ connection, directory }: { connection: Connection; directory: string }) {
  if (connection === "here") return null;
  return (
    <div class="gone" role="alert" data-part="gone">
      {connection === "lost" ? (
        <>
          <p class="message">The program does not answer any more: it was ended, or it ended by itself after a long pause.</p>
          <p>
            Nothing that was published is lost, and a command that was ended in the middle has published nothing or all of it. Start the
            studio again in a terminal, and open the address that it prints:
          </p>
        </>
      ) : (
        <>
          <p class="message">The program does not know this page: it was started anew, or the address is not the one it printed.</p>
          <p>Open the address that it printed in the terminal, or start it again:</p>
        </>
      )}
      <code>{commandText(["studio", directory])}</code>
    </div>
  );
}

/** What was run since the start: also by other tabs, and before this one was loaded. */
function Jobs({ jobs }: { jobs: Job[] }) {
  if (jobs.length === 0) return null;
  const running = jobs.filter((job) => job.state === "running");
  const words = (job: Job) => (job.state === "done" ? (job.exit === 0 ? "done" : `ended with ${job.exit}`) : job.state);
  return (
    <details class="jobs" data-part="jobs">
      <summary>
        Commands of this start: {jobs.length}
        {running.length > 0 && `, ${some(running.length, "is", "are")} running`}
      </summary>
      <ul>
        {jobs.slice(0, 50).map((job) => (
          <li key={job.id}>
            <code>{commandText(argumentsOf(job.command))}</code> <span class="quiet">{words(job)}</span>{" "}
            {job.state === "running" && (
              <button type="button" class="small" onClick={() => void cancelJob(job.id).catch(() => {})}>
                Cancel
              </button>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
