/** Output schemas are off by default above 100 tools; the lock keeps the decision. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DiagnosticCollector } from '../../../src/diagnostics/collector.ts';
import { deriveServer, type DeriveOptions } from '../../../src/derive/index.ts';
import { type Lock, parseLock, emitLock } from '../../../src/emit/lock.ts';
import { readLockedChoices } from '../../../src/project/locked-names.ts';
import type { JsonSchema } from '../../../src/util/json-schema.ts';
import { media, operation, origin, source } from '../support.ts';

/** Answers are lists, which an output schema wraps. */
function derive(tools: number, options: DeriveOptions = {}) {
  const item: JsonSchema = { type: 'object', properties: { id: { type: 'string' } } };
  const content = [media('application/json', { type: 'array', items: item })];
  const responses = [{ origin, status: '200', description: '', content, headers: [] }];
  const capabilities = Array.from({ length: tools }, (_, index) =>
    operation(`GET /things${index}`, { operationId: `list${index}`, responses }),
  );
  const diagnostics = new DiagnosticCollector();
  const model = deriveServer(
    [{ source: source(capabilities) }],
    { outputSchemaLimit: 1e6, ...options },
    diagnostics,
  );
  const listing = model.tools.filter(({ outputSchema }) => outputSchema !== undefined).length;
  const wrapping = model.tools.filter(
    ({ binding }) => binding.kind !== 'steps' && binding.result?.wrapped === true,
  ).length;
  const said = diagnostics.found
    .filter(({ name }) => name === 'output-schema-left-out')
    .map(({ message }) => message);
  return { model, listing, wrapping, said };
}

const rows: [what: string, tools: number, options: DeriveOptions, listing: number][] = [
  ['100 tools list them', 100, {}, 100],
  ['101 tools do not', 101, {}, 0],
  ['101 tools do if the option says so', 101, { outputSchema: 'loose' }, 101],
  ['101 tools do if an earlier run listed them', 101, { lockedOutputs: 'listed' }, 101],
  ['2 tools do not if an earlier run did not', 2, { lockedOutputs: 'off' }, 0],
  [
    '2 tools do if the option says so, whatever the earlier run',
    2,
    { lockedOutputs: 'off', outputSchema: 'loose' },
    2,
  ],
];

for (const [what, tools, options, listing] of rows)
  test(what, () => {
    const derived = derive(tools, options);
    expect(derived).toMatchObject({ listing, wrapping: listing });
    expect(derived.said).toHaveLength(listing === 0 ? 1 : 0);
    expect(derived.model.outputSchemas).toBe(listing === 0 ? 'off' : undefined);
  });

test('the lock keeps it; a lock without it listed them, and no lock leaves it open', async () => {
  const { model } = derive(101);
  const lock = parseLock(emitLock(model, { compilerVersion: '0.1.0' }, []).contents);
  const older = parseLock(emitLock(derive(1).model, { compilerVersion: '0.1.0' }, []).contents);
  const kept = async (project: Lock | undefined, rebuildLock = false) => {
    const problems = new DiagnosticCollector();
    const at = { dir: '.', root: mkdtempSync(join(tmpdir(), 'mcpgen-lock-')), problems };
    const existing = project === undefined ? at : { ...at, lock: project };
    return (await readLockedChoices(existing, { rebuildLock }, problems)).lockedOutputs;
  };
  expect(await kept(lock)).toBe('off');
  expect(await kept(older)).toBe('listed');
  expect(await kept(undefined)).toBeUndefined();
  expect(await kept(lock, true)).toBeUndefined();
});
