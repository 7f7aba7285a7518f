/** Loads schemas of the user's code in a process of its own, which gets no environment and is bounded. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env, execPath } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { recordRunFile } from '../diagnostics/running-code.ts';
import type { AppFiles } from '../model/app-files.ts';
import type {
  MadeSchema,
  RunSchemas,
  SchemaProblem,
  WantedFile,
  WantedSchema,
} from '../model/schema-runs.ts';
import { packageRoot } from '../util/version.ts';
import { ServedApp } from './served-app.ts';

export interface SchemaLimits {
  /** Default 10. */
  seconds: number;
  /** The most JSON that all schemas may have together. Default 4 MiB. */
  bytes: number;
  /** The heap of the process. Default 512. */
  megabytes: number;
}

const LIMITS: SchemaLimits = { seconds: 10, bytes: 4 * 1024 * 1024, megabytes: 512 };

export const runSchemas: RunSchemas = (app, requests) => runSchemasWithin(LIMITS, app, requests);

export function runSchemasWithin(
  limits: SchemaLimits,
  app: AppFiles,
  requests: readonly WantedSchema[],
): (MadeSchema | undefined)[] {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcpgen-schemas-')));
  try {
    for (const { origin, path } of app.files)
      if (requests.some(({ module }) => path === `src/${module}`)) recordRunFile(origin);
    const places = ServedApp.openForOtherProcess(folder).place(
      app,
      requests.map(({ module }) => module),
    );
    const files = requests.map((request): WantedFile => {
      const place = places.get(request.module) ?? '';
      return { url: pathToFileURL(place).href, export: request.export };
    });
    const { answers, problem } = askChildProcess(files, app.root, limits);
    const guilty = requests[answers.length]?.module;
    return requests.map(
      ({ module }, index) => answers[index] ?? (module === guilty ? { problem } : undefined),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Asks a child process for the schemas. `problem` explains why the first schema without an answer has none. */
function askChildProcess(
  files: readonly WantedFile[],
  cwd: string,
  { seconds, bytes, megabytes }: SchemaLimits,
): { answers: (MadeSchema | null)[]; problem: SchemaProblem } {
  const program = fileURLToPath(new URL('dist/src/cli/schema-child.js', packageRoot()));
  const { error, signal, output } = spawnSync(
    execPath,
    [`--max-old-space-size=${megabytes}`, '--enable-source-maps', program],
    {
      cwd,
      env: minimalEnvironment(),
      input: JSON.stringify(files),
      stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
      timeout: seconds * 1000,
      killSignal: 'SIGKILL',
      maxBuffer: bytes,
    },
  );
  const code = error !== undefined && 'code' in error ? error.code : undefined;
  const problem = ((): SchemaProblem => {
    if (code === 'ETIMEDOUT') return { kind: 'too-slow', seconds };
    if (code === 'ENOBUFS' || signal === 'SIGABRT') return { kind: 'too-large' };
    return error === undefined ? { kind: 'ended' } : { kind: 'failed', reason: error.message };
  })();
  return { answers: parseAnswers(output?.[3]?.toString() ?? ''), problem };
}

/** Environment of the child process: only what Windows needs in order to start a program. */
function minimalEnvironment(): Record<string, string> {
  const root = env['SystemRoot'];
  return root === undefined ? {} : { SystemRoot: root };
}

/** The last line may be cut, and code may have written there too. */
function parseAnswers(text: string): (MadeSchema | null)[] {
  const answers: (MadeSchema | null)[] = [];
  for (const line of text.split('\n').slice(0, -1)) {
    try {
      answers.push(JSON.parse(line) as MadeSchema | null);
    } catch {
      break;
    }
  }
  return answers;
}
