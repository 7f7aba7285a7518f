/** Names of tools that handlers replace. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DiagnosticCollector } from '../../src/diagnostics/collector.ts';
import { writeProject } from '../../src/write/index.ts';
import { project, put, temporaryFolder, write } from './project-on-disk.ts';

test('a handler of a tool that does not exist is an error with its place, for generate and for check', async () => {
  const files = project('one');
  const dir = join(temporaryFolder(), 'shop');
  await write(files, dir);
  put(dir, { 'src/handlers/index.ts': 'export const handlers = { tools: { ship_order: () => 1 } };' });
  for (const check of [true, false]) {
    const diagnostics = new DiagnosticCollector();
    const tools = ['ship_orders', 'get_order'];
    await writeProject(files, { dir, label: 'shop', tools, check, dryRun: !check }, diagnostics);
    expect(diagnostics.found).toMatchObject([
      {
        name: 'handler-without-tool',
        severity: 'error',
        origin: { file: 'shop/src/handlers/index.ts', line: 1, column: 36 },
        hint: expect.stringContaining('Did you mean `ship_orders`'),
      },
    ]);
  }
});
