import { isRecord } from '../../templates/runtime/json-rpc.ts';
import { tryParseJson } from '../util/try-parse-json.ts';

export interface GeneratedFile {
  /** The path from the project's root, `/`-separated, without `..`. */
  path: string;
  contents: string;
  /**
   * - `generated`: belongs to mcpgen. Recorded in the lock; replaced on every run.
   * - `once`: belongs to the user. Written when missing, then never touched.
   * - `built`: ready-to-run output under `dist/`. Replaced on every run, never in the lock.
   */
  ownership: 'generated' | 'once' | 'built';
  /** Give the file the executable bit. Default false. */
  executable?: boolean;
}

/** Throws if a path is unsafe or claimed twice: each is a bug of mcpgen. */
export function assertPathsUnique(files: GeneratedFile[]): GeneratedFile[] {
  const claimed = new Set<string>();
  for (const { path } of files) {
    if (!isSafePath(path)) throw new Error(`An emitter made the unsafe path ${JSON.stringify(path)}.`);
    // Windows and macOS compare paths without case.
    const key = path.toLowerCase();
    if (claimed.has(key)) throw new Error(`Two emitters claim the path ${path}.`);
    claimed.add(key);
  }
  return files;
}

/** Whether a path stays inside the project: relative, `/`-separated, without empty, `.` or `..` segments. */
export function isSafePath(path: string): boolean {
  return (
    !/[\\\0:]/.test(path) && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
  );
}

/** npm, registries and clients read these files. */
const MANIFESTS: ReadonlySet<string> = new Set(['package.json', 'server.json', 'manifest.json']);

/** Finds the fault of such a file, in words that follow its name. */
export function findManifestProblem(path: string, text: string): string | undefined {
  return MANIFESTS.has(path) && !isRecord(tryParseJson(text)) ? 'is not a JSON object' : undefined;
}
