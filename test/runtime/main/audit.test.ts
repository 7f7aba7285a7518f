// The audit log of a running server, and what its flags may say.
import { allFeatures as features } from '../../../templates/runtime/all-features.ts';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parseSettings } from '../../../templates/runtime/main/settings.ts';
import { startProject, writeProject } from './project.ts';

const project = writeProject({
  handlers: `{ extraTools: [{ name: 'x', inputSchema: { type: 'object' }, handler: () => 'done' }] }`,
});
afterAll(() => project.remove());

const call = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: {
    name: 'x',
    arguments: { city: 'Bern' },
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
};

async function run(args: string[], env: NodeJS.ProcessEnv = {}) {
  const { child, output, exit } = startProject(project, args, env);
  child.stdin.on('error', () => undefined).write(`${JSON.stringify(call)}\n`);
  if (args.length > 0) await Promise.race([once(child.stdout, 'data'), exit]);
  child.stdin.end();
  return { code: await exit, ...output };
}

const line = { server: 'pets', tool: 'x', outcome: 'ok' };

test('on stdio it is written to stderr, all of it before the end, and stdout is left alone', async () => {
  const { code, stdout, stderr } = await run(['--audit', 'stderr']);
  expect(code).toBe(0);
  expect(stdout.trim().split('\n')).toHaveLength(1);
  expect(JSON.parse(stderr.split('\n').find((one) => one.startsWith('{')) ?? '{}')).toMatchObject({
    ...line,
    arguments: { city: 'string' },
  });
});

test('a file is added to, for its owner alone', async () => {
  const file = join(project.dir, 'audit.jsonl');
  await run(['--audit', file, '--audit-arguments', 'full']);
  await run(['--audit', file]);
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  expect(lines.map((one) => JSON.parse(one) as unknown)).toMatchObject([
    { ...line, arguments: '{"city":"Bern"}' },
    { ...line, arguments: { city: 'string' } },
  ]);
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a file that cannot be written to ends the start', async () => {
  const file = join(project.dir, 'nowhere/audit.jsonl');
  const { code, stderr } = await run(['--audit', file]);
  expect([code, existsSync(file)]).toEqual([2, false]);
  expect(stderr).toContain(`pets: The audit log ${file} can't be written to: ENOENT`);
});

test.each<[Record<string, string[]>, Record<string, string>, unknown]>([
  [{}, {}, undefined],
  [{}, { MCP_AUDIT: 'stderr' }, { to: 'stderr', full: false }],
  [{ audit: ['/a'] }, { MCP_AUDIT: '/b', MCP_AUDIT_ARGUMENTS: 'full' }, { to: '/a', full: true }],
  [
    { 'audit-arguments': ['types'] },
    { MCP_AUDIT: '/b', MCP_AUDIT_ARGUMENTS: 'full' },
    { to: '/b', full: false },
  ],
  [{}, { MCP_AUDIT_ARGUMENTS: 'full' }, undefined],
])('%j and %j: %j', async (flags, env, want) => {
  expect((await parseSettings(new Map(Object.entries(flags)), env, { features })).audit).toEqual(want);
});

test.each<[Record<string, string[]>, Record<string, string>, string]>([
  [{ audit: ['/a'], 'audit-arguments': ['all'] }, {}, '--audit-arguments must be types or full, not all.'],
  [
    {},
    { MCP_AUDIT: 'a', MCP_AUDIT_ARGUMENTS: 'none' },
    'MCP_AUDIT_ARGUMENTS must be types or full, not none.',
  ],
  [
    { 'audit-arguments': ['full'] },
    {},
    '--audit-arguments goes with an audit log: give --audit stderr, or a file, as well.',
  ],
])('%j and %j are refused', async (flags, env, message) => {
  const read = parseSettings(new Map(Object.entries(flags)), env, { features });
  await expect(read).rejects.toMatchObject({ name: 'UsageError', message });
});
