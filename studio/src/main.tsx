import { render } from "preact";
import { App } from "./app";

// A file that misses the place to drop it must not replace the page.
for (const kind of ["dragover", "drop"]) {
  addEventListener(kind, (event) => event.preventDefault());
}

render(<App />, document.getElementById("app")!);
