/** Why a function failed, in the log: the line of the `.ts` as it is written, wherever the code runs. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
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

const MESSAGES = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/call', params: { name: 'fail', arguments: {} } },
];

/** The first lines of the stacks that the log has. */
function failedAt(args: string[], cwd: string): string[] {
  const input = MESSAGES.map((each) => `${JSON.stringify({ jsonrpc: '2.0', ...each })}\n`).join('');
  const { stderr } = spawnSync(process.execPath, args, { cwd, input, encoding: 'utf8' });
  const lines = [...stderr.matchAll(/on purpose (\d)\n\s+at (?:[^\n]*\()?(?:file:\/\/)?([^\n]*?):\d+\)?\n/g)];
  return lines
    .map(([, number = '', place = '']) => `${number} ${path.relative(cwd, place).replaceAll('\\', '/')}`)
    .sort();
}

test.each([
  { kind: 'ES modules', type: 'module', code: CODE, how: [], place: 'server/src/app/tools.ts:10' },
  {
    ...{ kind: 'linked CommonJS', type: 'commonjs', code: `${CODE}export const here = __dirname;\n` },
    ...{ how: ['--link'], place: 'src/tools.ts:10' },
  },
])('$kind', async ({ type, code, how, place }) => {
  const places = [`1 ${place}`];
  const folder = await folderForTest();
  await layOut(folder, {
    'package.json': `{ "name": "failing", "version": "1.0.0", "type": "${type}" }`,
    'tsconfig.json':
      '{ "compilerOptions": { "module": "nodenext", "target": "es2023", "strict": true, "types": ["node"] } }',
    'src/tools.ts': code,
  });
  await linkTypes(folder);
  if (how.length === 0)
    expect(failedAt([path.join(root, 'dist/bin/mcpgen.js'), 'serve', 'src/tools.ts'], folder)).toEqual([
      '1 src/tools.ts:10',
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
