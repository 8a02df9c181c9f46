// The address: #room?key=value. Rooms keep their choices here, so that a reload finds them.
import { useEffect, useState } from "preact/hooks";

export const rooms = ["table", "taxonomies", "promise", "audit", "publish", "series"] as const;
export type RoomName = (typeof rooms)[number];

export interface Route {
  room: RoomName;
  choices: URLSearchParams;
}

/** What all rooms have in common goes along from room to room. */
const shared = ["table", "policy", "vault"];

export function parseRoute(hash: string): Route {
  const text = hash.replace(/^#/, "");
  const mark = text.indexOf("?");
  const name = mark < 0 ? text : text.slice(0, mark);
  const room = (rooms as readonly string[]).includes(name) ? (name as RoomName) : "table";
  return { room, choices: new URLSearchParams(mark < 0 ? "" : text.slice(mark + 1)) };
}

export function formatRoute(room: RoomName, choices: URLSearchParams): string {
  const text = choices.toString();
  return "#" + room + (text ? "?" + text : "");
}

/** The address of another room, with the choices that all rooms share. */
export function roomAddress(room: RoomName, from: URLSearchParams, more: Record<string, string | string[]> = {}): string {
  const choices = new URLSearchParams();
  for (const key of shared) {
    const value = from.get(key);
    if (value) choices.set(key, value);
  }
  setAll(choices, more);
  return formatRoute(room, choices);
}

function setAll(choices: URLSearchParams, changes: Record<string, string | string[] | null>) {
  for (const [key, value] of Object.entries(changes)) {
    choices.delete(key);
    if (Array.isArray(value)) for (const item of value) choices.append(key, item);
    else if (value) choices.set(key, value);
  }
}

export type Choose = (changes: Record<string, string | string[] | null>) => void;

export function useRoute(): [Route, Choose] {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const changed = () => setRoute(parseRoute(location.hash));
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  const choose: Choose = (changes) => {
    // Read anew: two changes may come before the next drawing.
    const now = parseRoute(location.hash);
    setAll(now.choices, changes);
    history.replaceState(null, "", formatRoute(now.room, now.choices));
    setRoute(now);
  };
  return [route, choose];
}
