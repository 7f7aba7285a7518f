// What a prompt's argument takes is in no listing: each form of a side tells it nevertheless.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { compile, diff, generate } from '../../src/index.ts';

const cwd = mkdtempSync(join(tmpdir(), 'mcpgen-diff-prompts-'));
afterAll(() => {
  rmSync(cwd, { recursive: true });
});

const options = { source: 'plan.ts', typescript: { files: ['plan.ts'] }, name: 'plan', cwd };

function write(tones: string): void {
  const code = `/**\n * Plans.\n * @prompt\n */\nexport function plan(tone: ${tones}): string {\n  return tone;\n}\n`;
  writeFileSync(join(cwd, 'plan.ts'), code);
}

test('a value that a prompt of a project, or of a model, takes no more', async () => {
  write("'warm' | 'cold'");
  const { ok } = await generate({ ...options, dir: 'out' });
  const { model } = await compile(options);
  write("'warm'");
  expect(ok).toBe(true);
  if (model === undefined) throw new Error('It does not compile.');
  for (const before of [{ project: 'out' }, { model }]) {
    const compared = await diff({ before, after: { compile: options }, cwd });
    // The description lists the values.
    expect(compared.diff?.changes.filter(({ kind }) => kind !== 'description-changed')).toEqual([
      {
        item: 'prompt',
        name: 'plan',
        kind: 'value-removed',
        effect: 'breaking',
        side: 'input',
        at: 'tone',
        text: 'value "cold" removed',
      },
    ]);
  }
});
