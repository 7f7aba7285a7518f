// A `@scope` that nobody is asked for is told, unless the one who compiles said that it is meant.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compile } from '../../../src/api/compile.ts';
import type { CompileOptions } from '../../../src/api/options.ts';

let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'scopes-'));
  await writeFile(
    join(cwd, 'tickets.ts'),
    [
      '/** A ticket. @tool */\nexport function ticket(id: number): number { return id; }',
      '/** Ends it. @tool @scope tickets:write */\nexport function end(id: number): number { return id; }',
      '/** All. @resource tickets://all @scope tickets:read */\nexport function all(): string { return ""; }',
    ].join('\n'),
  );
});
afterAll(() => rm(cwd, { recursive: true }));

test.each<[string, Pick<CompileOptions, 'auth'>, string[]]>([
  ['nothing is said of callers', {}, ['4:17 warning `end` (and of 1 more)']],
  ['they are asked', { auth: 'oauth' }, []],
  ['rules say how they are asked', { auth: { scopes: ['tickets'] } }, []],
  ['it is said that nobody is', { auth: 'none' }, []],
])('where %s', async (_, auth, want) => {
  const { ok, diagnostics } = await compile({
    source: 'tickets.ts',
    typescript: { files: ['tickets.ts'] },
    cwd,
    ...auth,
  });
  expect(ok).toBe(true);
  expect(
    diagnostics.map(({ severity, origin, message }) => {
      const at = origin !== undefined && 'line' in origin ? `${origin.line}:${origin.column}` : '';
      return `${at} ${severity} ${/^The @scope of (.*) protects/.exec(message)?.[1]}`;
    }),
  ).toEqual(want);
});
