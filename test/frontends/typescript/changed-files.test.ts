// A reading that keeps what has not changed gives what a fresh one gives, whatever was changed before.
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { compile } from '../../../src/api/compile.ts';
import type { CompileMemory } from '../../../src/api/options.ts';
import { beginning, edits, type Files, of } from './changed-files.ts';

interface Step {
  edit: number;
  at: number;
  /** Nothing is read before the next. */
  isSoon: boolean;
}

const step = fc.record<Step>({
  edit: fc.nat(edits.length - 1),
  at: fc.nat(11),
  isSoon: fc.integer({ min: 0, max: 3 }).map((each) => each === 0),
});

async function lay(folder: string, files: Files, before: Files): Promise<void> {
  for (const name of before.keys()) if (!files.has(name)) await rm(path.join(folder, name));
  for (const [name, text] of files) {
    if (before.get(name) === text) continue;
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
}

async function compiled(cwd: string, memory?: CompileMemory): Promise<string> {
  const { model, app, diagnostics } = await compile({
    source: 'functions',
    typescript: { files: ['src/tools/*.ts'] },
    cwd,
    ...(memory === undefined ? {} : { memory }),
  });
  return JSON.stringify({ diagnostics, model, app: app?.(), mapped: app?.({ maps: true }) }, undefined, 1);
}

const steps = fc.array(step, { minLength: 12, maxLength: 12 });

test('whatever changes, what is kept is as good as new', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'mcpgen-changed-')));
      onTestFinished(() => rm(folder, { recursive: true, force: true }));
      const files = beginning();
      const memory: CompileMemory = {};
      let laid: Files = new Map();
      const read = async (): Promise<string> => {
        await lay(folder, files, laid);
        laid = new Map(files);
        const kept = await compiled(folder, memory);
        expect(kept).toBe(await compiled(folder));
        return kept;
      };
      expect(await read()).toContain('"model"');
      for (const { edit, at, isSoon } of taken) {
        const { change, isFault = false } = of(edit, edits);
        change(files, at);
        if (!isSoon || isFault) await read();
        if (isFault) change(files, at);
      }
      expect(await read()).toContain('"model"');
    }),
    { numRuns: 2, endOnFailure: true },
  );
});

test('a member that declarations would leave out reaches who uses it', async () => {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'mcpgen-changed-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const shared = 'export interface Shared {\n  /** @internal */\n  inside: string;\n}';
  const files: Files = new Map([
    [
      'tsconfig.json',
      '{ "compilerOptions": { "strict": true, "module": "NodeNext", "stripInternal": true } }',
    ],
    ['src/shared.ts', shared],
    [
      'src/tools/a.ts',
      "import type { Shared } from '../shared.js';\n/** @tool */\nexport const f = (all: Shared): string => all.inside;\n",
    ],
  ]);
  const memory: CompileMemory = {};
  let laid: Files = new Map();
  const change = async (text: string): Promise<string> => {
    const changed: Files = new Map(files).set('src/shared.ts', text);
    await lay(folder, changed, laid);
    laid = changed;
    return compiled(folder, memory);
  };
  const good = await change(shared);
  expect(good).toContain('"model"');
  // A file's declarations are known from its first change on.
  expect(await change(`${shared}\nexport const more = 1;\n`)).toContain('"model"');
  expect(await change(shared.replace('string', 'number').concat('\nexport const more = 1;\n'))).toContain(
    'TS2322',
  );
  expect(await change(shared)).toBe(good);
});
