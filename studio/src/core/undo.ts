// Steps that can be taken back.
import { useState } from "preact/hooks";

export interface Steps<T> {
  past: readonly T[];
  now: T;
  future: readonly T[];
}

export const begin = <T>(now: T): Steps<T> => ({ past: [], now, future: [] });

export function step<T>(steps: Steps<T>, now: T): Steps<T> {
  return now === steps.now ? steps : { past: [...steps.past.slice(-199), steps.now], now, future: [] };
}

export function back<T>(steps: Steps<T>): Steps<T> {
  const last = steps.past.length - 1;
  if (last < 0) return steps;
  return { past: steps.past.slice(0, last), now: steps.past[last]!, future: [steps.now, ...steps.future] };
}

export function forth<T>(steps: Steps<T>): Steps<T> {
  const [next, ...future] = steps.future;
  return next === undefined ? steps : { past: [...steps.past, steps.now], now: next, future };
}

/** `later`: a first step that was taken already. */
export function useSteps<T>(first: T, later?: T) {
  const [steps, setSteps] = useState(() => (later === undefined ? begin(first) : step(begin(first), later)));
  return {
    now: steps.now,
    canUndo: steps.past.length > 0,
    canRedo: steps.future.length > 0,
    set: (now: T) => setSteps((s) => step(s, now)),
    undo: () => setSteps(back),
    redo: () => setSteps(forth),
    reset: (now: T) => setSteps(begin(now)),
  };
}
