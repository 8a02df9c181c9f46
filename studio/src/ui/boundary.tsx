// Where something cannot be shown, the room says so and the page stays.
import { Component, type ComponentChildren } from "preact";

export class Boundary extends Component<{ children: ComponentChildren }, { words: string | null }> {
  override state = { words: null };

  static override getDerivedStateFromError(error: unknown) {
    return { words: String(error) };
  }

  override render() {
    if (this.state.words === null) return this.props.children;
    return (
      <div class="problem" role="alert">
        <p class="message">The page could not show this. What the program did is done; only the picture of it failed.</p>
        <p>{this.state.words}</p>
        <p class="remedy">Load the page again, or run the command in a terminal: the foot of the page lists it.</p>
      </div>
    );
  }
}
