/**
 * Tracks the user's code that runs in this process, and finds places of its errors: if it ends the process, or throws outside of
 * a call, the message can then name it.
 */
import type { CodeOrigin } from '../model/origin.ts';

type PlaceOf = (thrown: unknown) => CodeOrigin | undefined;

interface Code {
  name: string;
  /** Removes the temporary files of the running code, synchronously. */
  abandon?: (() => void) | undefined;
}

const running = new Set<Code>();
const modules = new Map<string, PlaceOf>();

const files = new Set<string>();
let notifyFileRun: (file: string) => void = () => undefined;

/** Calls `listener` once for each file, before it runs. Forgets the files of an earlier command. */
export function onFileRun(listener: (file: string) => void): void {
  files.clear();
  notifyFileRun = listener;
}

export function listRunFiles(): string[] {
  return [...files];
}

/** Records the module, by absolute path or package name, before it runs. */
export function recordRunFile(file: string): void {
  if (files.has(file)) return;
  files.add(file);
  notifyFileRun(file);
}

/** While it runs, `name` says which code it is: `the hook onModel of hooks.ts`. */
export async function runAndRecord<T>(
  name: string,
  call: () => T | Promise<T>,
  abandon?: () => void,
): Promise<T> {
  const code: Code = { name, abandon };
  running.add(code);
  try {
    return await call();
  } finally {
    running.delete(code);
  }
}

export function nameOfRunningCode(): string | undefined {
  return [...running][0]?.name;
}

export function abandonCode(): void {
  for (const { abandon } of running) abandon?.();
}

export function recordRunModule(path: string, placeOf: PlaceOf): void {
  modules.set(path, placeOf);
}

/** Finds the place of an error in the recorded modules; its file is absolute. */
export function findPlaceInCode(thrown: unknown): CodeOrigin | undefined {
  for (const placeOf of modules.values()) {
    const place = placeOf(thrown);
    if (place !== undefined) return place;
  }
  return undefined;
}
