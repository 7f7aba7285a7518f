// Flags, variables, the definition and the catalog of a server may state the same setting: the strictest wins, however tools are called.
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { printFeatures } from '../../../src/emit/data-files.ts';
import { allFeatures } from '../../../templates/runtime/all-features.ts';
import type { Guards } from '../../../templates/runtime/contract/guards.ts';
import type { ListedTool } from '../../../templates/runtime/contract/json-schema.ts';
import { printIndex } from '../../../templates/runtime/contract/search-index.ts';
import { answerToObject } from '../../../templates/runtime/core/call.ts';
import { Channel } from '../../../templates/runtime/core/session.ts';
import type { ServerDefinition } from '../../../templates/runtime/definition.ts';
import { FEATURES } from '../../../templates/runtime/features.ts';
import { parseFlags } from '../../../templates/runtime/main/command-line.ts';
import { openServer } from '../../../templates/runtime/main/run.ts';
import { parseIncoming } from '../../../templates/runtime/protocol/json-rpc.ts';
import { createCheckedCore } from '../../support/checked-core.ts';
import { MODERN } from './requests.ts';

const inputSchema = { type: 'object' as const };
const tools: ListedTool[] = [
  { name: 'getPet', inputSchema, annotations: { readOnlyHint: true } },
  { name: 'addPet', inputSchema, annotations: { readOnlyHint: false, destructiveHint: false } },
  { name: 'dropPet', inputSchema, annotations: { readOnlyHint: false, destructiveHint: true } },
];
const names = tools.map(({ name }) => name);
const makeBinding = (name: string) => ({
  do: { kind: 'http', method: 'POST', path: `/${name}`, parameters: [] },
  tags: [name === 'dropPet' ? 'admin' : 'pets'],
});

interface Places {
  args?: string[];
  env?: Record<string, string>;
  definition?: Partial<ServerDefinition>;
  catalog?: Guards;
}

/** A server of three tools, whose handlers note that they ran. */
async function open({ args = [], env = {}, definition = {}, catalog }: Places) {
  const ran: string[] = [];
  const data = {
    ...{ tools, resources: [], resourceTemplates: [], prompts: [] },
    ...(catalog && { guards: catalog }),
  };
  const bindings = {
    ...{ resources: {}, resourceTemplates: {}, prompts: {}, completions: [] },
    tools: Object.fromEntries(names.map((name) => [name, makeBinding(name)])),
  };
  const server: ServerDefinition = {
    info: { name: 'pets', version: '1.0.0' },
    features: allFeatures,
    handlers: { tools: Object.fromEntries(names.map((name) => [name, () => ran.push(name)])) },
    generated: {
      'catalog.json': JSON.stringify(data),
      'bindings.json': JSON.stringify(bindings),
      'features.json': printFeatures(new Set(FEATURES.map(({ name }) => name)), {}),
      'search.json': printIndex(
        tools.map((tool) => ({ ...tool, tags: [], path: '' })),
        [],
      ),
    },
    ...definition,
  };
  const context = {
    host: { env, stderr: new Writable({ write: (_chunk, _encoding, done) => done() }) },
    tell: () => undefined,
    report: () => undefined,
  };
  const { instance, settings } = await openServer(parseFlags(args, server), server, context);
  const core = createCheckedCore({ current: instance });
  const ask = async (method: string, params: object): Promise<unknown> => {
    const channel = new Channel();
    const message = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: MODERN } };
    const [answer] = [
      await core(parseIncoming(message), { channel, session: undefined, send: () => Promise.resolve() }),
    ].flat();
    return answer === undefined ? undefined : answerToObject(answer);
  };
  const call = (name: string, input: object = {}) => ask('tools/call', { name, arguments: input });
  return { ask, call, ran, instance, settings };
}

/** Every way to list, find, describe or call the tool. @returns those by which it can be seen or run */
async function reach({ ask, call, ran }: Awaited<ReturnType<typeof open>>, name: string): Promise<string[]> {
  const seen: string[] = [];
  const note = (way: string, isThere: boolean): void => void (isThere && seen.push(way));
  note('list', JSON.stringify(await ask('tools/list', {})).includes(`"${name}"`));
  note('search', JSON.stringify(await call('search_tools', { query: name })).includes(`"${name}"`));
  note('describe', JSON.stringify(await call('describe_tool', { name })).includes(`${name}: `));
  for (const tool of [name, 'call_read_tool', 'call_write_tool', 'call_destructive_tool']) {
    ran.length = 0;
    await call(tool, tool === name ? {} : { name, arguments: {} });
    note(`call by ${tool}`, ran.length > 0);
  }
  return seen;
}

const readOnlyPlaces: [Places, boolean][] = [[], ['--read-only']].flatMap((args) =>
  [{}, { MCP_READ_ONLY: '0' }, { MCP_READ_ONLY: '1' }].flatMap((env: Record<string, string>) =>
    [{}, { readOnly: false }, { readOnly: true }].flatMap((definition) =>
      [undefined, { readOnly: false }, { readOnly: true }].map((catalog): [Places, boolean] => [
        { args, env, definition, ...(catalog && { catalog }) },
        args.length > 0 ||
          env['MCP_READ_ONLY'] === '1' ||
          definition.readOnly === true ||
          catalog?.readOnly === true,
      ]),
    ),
  ),
);

test.each(readOnlyPlaces)('reading only, by %j: %j', async (places, isReadOnly) => {
  for (const surface of ['tools', 'search', 'both'] as const) {
    const server = await open({ ...places, args: [...(places.args ?? []), '--surface', surface] });
    for (const writer of ['addPet', 'dropPet'])
      expect((await reach(server, writer)).length > 0, `${surface}: ${writer}`).toBe(!isReadOnly);
    expect(await reach(server, 'getPet')).toContain('call by getPet');
  }
});

const confirmPlaces: [Places, boolean][] = [[], ['--confirm', 'destructive']].flatMap((args) =>
  [{}, { confirm: 'destructive' as const }].flatMap((definition: { confirm?: 'destructive' }) =>
    [undefined, {}, { confirm: 'destructive' as const }].map((catalog): [Places, boolean] => [
      { args, definition, ...(catalog && { catalog }) },
      args.length > 0 || definition.confirm === 'destructive' || catalog?.confirm === 'destructive',
    ]),
  ),
);

test.each(confirmPlaces)('asking first, by %j: %j', async (places, isAsked) => {
  const server = await open({ ...places, args: [...(places.args ?? []), '--surface', 'both'] });
  const ways = (await reach(server, 'dropPet')).filter((way) => way.startsWith('call by'));
  expect(ways).toEqual(isAsked ? [] : ['call by dropPet', 'call by call_destructive_tool']);
  expect(await reach(server, 'addPet')).toContain('call by addPet');
});

test('a server that must ask, and has no feature to ask with, does not start', async () => {
  const features = Object.fromEntries(
    Object.entries(allFeatures).filter(([name]) => name !== 'ask'),
  ) as typeof allFeatures;
  await expect(open({ definition: { features, confirm: 'destructive' } })).rejects.toThrow(
    'This server was generated without ask.',
  );
});

test.each<[string[], string[]]>([
  [
    ['--include', 'tag:pets'],
    ['getPet', 'addPet'],
  ],
  [
    ['--exclude', 'op:addPet'],
    ['getPet', 'dropPet'],
  ],
  [['--include', 'tag:pets', '--exclude', 'op:addPet'], ['getPet']],
  [['--include', 'tag:pets', '--read-only'], ['getPet']],
])('%j leaves %j, also to the tools that search', async (args, left) => {
  for (const surface of ['tools', 'search', 'both']) {
    const server = await open({ args: [...args, '--surface', surface], definition: { readOnly: false } });
    for (const name of names)
      expect((await reach(server, name)).length > 0, `${surface}: ${name}`).toBe(left.includes(name));
  }
});

test('a pinned tool that is left out is not listed', async () => {
  const args = ['--surface', 'search', '--pin', 'op:dropPet', '--pin', 'op:getPet', '--read-only'];
  const listed = JSON.stringify(await (await open({ args })).ask('tools/list', {}));
  expect([listed.includes('"getPet"'), listed.includes('"dropPet"')]).toEqual([true, false]);
});

const limits: [flag: string[], env: Record<string, string>, want: number | undefined][] = [
  [[], {}, undefined],
  [['600'], {}, 600],
  [[], { value: '600' }, 600],
  [['600'], { value: '60' }, 60],
  [['60'], { value: '600' }, 60],
  [['off'], { value: '60' }, 60],
  [['60'], { value: 'off' }, 60],
  [['off'], { value: 'off' }, Infinity],
  [['off'], {}, Infinity],
];

test.each(limits)(
  'the lower limit wins: the flag %j, the variable %j',
  async (flag, { value = '' }, want) => {
    const http = ['--transport', 'http'];
    const { instance, settings } = await open({
      args: [...http, ...flag.flatMap((limit) => ['--rate-limit', limit, '--connections', limit])],
      env: { MCP_RATE_LIMIT: value, MCP_CONNECTIONS: value },
    });
    expect(instance.limits.callsPerMinute).toBe(want ?? 6000);
    expect(settings.http?.limits.connectionsPerAddress).toBe(want);
  },
);

test.each<[string, Places]>([
  ['the catalog', { catalog: { auth: true } }],
  ['a variable', { env: { MCP_AUTH_ISSUER: 'https://id.example' } }],
])('tokens that %s demands are not left out by the definition', async (_, places) => {
  await expect(open({ ...places, args: ['--transport', 'http'] })).rejects.toThrow(
    /token over HTTP|generated without oauth/,
  );
});
