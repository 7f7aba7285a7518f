/**
 * Which code of the user runs in this process, and where in it an error was thrown: it may end the process, or throw where nobody
 * catches it, and then nobody else can say whose doing that was.
 */
import type { CodeOrigin } from '../model/origin.ts';

type PlaceOf = (thrown: unknown) => CodeOrigin | undefined;

interface Code {
  name: string;
  /** Takes away what it would leave behind. Synchronous. */
  abandon?: (() => void) | undefined;
}

const running = new Set<Code>();
/** By the module; an absolute path. */
const modules = new Map<string, PlaceOf>();

/** Files of the repository that were run, or are about to be, in that order; packages by their names. */
const files = new Set<string>();
let tell: (file: string) => void = () => undefined;

/** `listener` hears of each file once, before it is run. Those of an earlier command are forgotten. */
export function onFileRun(listener: (file: string) => void): void {
  files.clear();
  tell = listener;
}

export function filesRun(): string[] {
  return [...files];
}

/** A file is about to be run; its path is absolute, or the name of a package. */
export function noteFile(file: string): void {
  if (files.has(file)) return;
  files.add(file);
  tell(file);
}

/** Called when code begins to run: `the hook onModel of hooks.ts`. What it returns is called when that is over. */
export function beginCode(name: string, abandon?: () => void): () => void {
  const code: Code = { name, abandon };
  running.add(code);
  return () => void running.delete(code);
}

/** Resolves as `call` does. */
export async function whileRunning<T>(
  name: string,
  call: () => T | Promise<T>,
  abandon?: () => void,
): Promise<T> {
  const end = beginCode(name, abandon);
  try {
    return await call();
  } finally {
    end();
  }
}

/** What began first of what runs now. */
export function runningCode(): string | undefined {
  return [...running][0]?.name;
}

/** When the process ends, and some of it still runs. */
export function abandonCode(): void {
  for (const { abandon } of running) abandon?.();
}

/** A module of the user was run. The last run of a path counts. */
export function noteModule(path: string, placeOf: PlaceOf): void {
  modules.set(path, placeOf);
}

/** Where in any module that was run an error was thrown; its file is absolute. */
export function placeInCode(thrown: unknown): CodeOrigin | undefined {
  for (const placeOf of modules.values()) {
    const place = placeOf(thrown);
    if (place !== undefined) return place;
  }
  return undefined;
}
