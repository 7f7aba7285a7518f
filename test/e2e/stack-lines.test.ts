/** Why a function failed, in the log: the line of the `.ts` as it is written, wherever the code runs. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { mcpgenHere, node, root, tsc } from './support/command.ts';
import { folderForTest, linkTypes } from './support/project.ts';
import { layOut } from './support/watched.ts';

const CODE = `
interface Row {
  a: number;
}

enum Kind { one = 1 }

/** @tool */
export function fail(): Row {
  throw new Error('on purpose ' + Kind.one);
}
`;

const WORKER = `
interface Given {
  n: number;
}
enum Kind { two = 2 }
throw new Error('on purpose ' + Kind.two);
`;

const STARTS_WORKER = `
import { Worker } from 'node:worker_threads';
/** @tool */
export async function fail_elsewhere(): Promise<unknown> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url));
  return new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
}
`;

const MESSAGES = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/call', params: { name: 'fail', arguments: {} } },
  { id: 3, method: 'tools/call', params: { name: 'fail_elsewhere', arguments: {} } },
];

/** The first lines of the stacks that the log has: of the function, and of the worker that one starts. */
function failedAt(args: string[], cwd: string): string[] {
  const input = MESSAGES.map((each) => `${JSON.stringify({ jsonrpc: '2.0', ...each })}\n`).join('');
  const { stderr } = spawnSync(process.execPath, args, { cwd, input, encoding: 'utf8' });
  const lines = [...stderr.matchAll(/on purpose (\d)\n\s+at (?:[^\n]*\()?(?:file:\/\/)?([^\n]*?):\d+\)?\n/g)];
  return lines
    .map(([, number = '', place = '']) => `${number} ${path.relative(cwd, place).replaceAll('\\', '/')}`)
    .sort();
}

describe.each([
  {
    kind: 'ES modules',
    type: 'module',
    code: CODE + STARTS_WORKER,
    copied: 'tools.ts',
    ofWorker: (folder: string) => [`2 ${folder}/worker.ts:6`],
  },
  {
    kind: 'CommonJS',
    type: 'commonjs',
    code: `${CODE}export const here = __dirname;\n`,
    copied: 'tools.cts',
    ofWorker: () => [],
  },
])('$kind', ({ type, code, copied, ofWorker }) => {
  test.each([
    { how: [], below: 'server/src/app', place: `${copied}:10` },
    { how: ['--link'], below: 'src', place: 'tools.ts:10' },
  ])('ts $how', async ({ how, below, place }) => {
    const places = [`1 ${below}/${place}`, ...ofWorker(below)];
    const folder = await folderForTest();
    await layOut(folder, {
      'package.json': `{ "name": "failing", "version": "1.0.0", "type": "${type}" }`,
      'tsconfig.json':
        '{ "compilerOptions": { "module": "nodenext", "target": "es2023", "strict": true, "types": ["node"] } }',
      'src/tools.ts': code,
      'src/worker.ts': WORKER,
    });
    await linkTypes(folder);
    if (how.length === 0)
      expect(failedAt([path.join(root, 'dist/bin/mcpgen.js'), 'serve', 'src/tools.ts'], folder)).toEqual([
        '1 src/tools.ts:10',
        ...ofWorker('src'),
      ]);
    const { code: exit, stderr } = await mcpgenHere(['ts', 'src/tools.ts', '-o', 'server', ...how], {
      cwd: folder,
    });
    expect(exit, stderr).toBe(0);
    const project = path.join(folder, 'server');
    expect(failedAt(['server/dist/main.js'], folder)).toEqual(places);
    await linkTypes(project);
    const built = await tsc(['-p', project]);
    expect(built.code, built.stdout).toBe(0);
    await node(['src/runtime/build.mjs'], { cwd: project });
    expect(failedAt(['server/dist/main.js'], folder)).toEqual(places);
  });
});
