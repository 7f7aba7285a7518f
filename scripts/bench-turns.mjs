/**
 * `npm run bench:turns`: the longest turn of the event loop that one request, or one answer of the API, causes in an emitted
 * server. Each text of each request is fed a megabyte (a header: what a head holds); requests and answers also come with more members
 * than are taken, and with almost as many; the API answers with a million. A second server has 6,000 tools.
 *
 * A timer inside the server measures the turns, less the time within `JSON.parse`. Time that other programs take does not count: a
 * turn is no longer than the processor time of the server in it, and the shortest of `--runs` counts. Ends with 1 when one is
 * longer than `--most` milliseconds.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';

import { ask, initialize, modern } from './lib/attack/session.mjs';
import { endOf, urlOf } from './lib/bench-runtime/process.mjs';
import { root } from './lib/repository.mjs';
import { runOrThrow } from './lib/run.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { readCount, readOptions } from './lib/usage.mjs';

const usage = 'npm run bench:turns [-- --runs <count> --most <ms> --only <pattern> --against <checkout>]';
const text = { type: 'string' };
const { values: options } = readOptions(usage, {
  options: { runs: text, most: text, only: text, against: text },
});
const RUNS = readCount(usage, 'runs', options.runs ?? '3');
const MOST_MS = readCount(usage, 'most', options.most ?? '250');
const ONLY = new RegExp(options.only ?? '');
const CHECKOUT = path.resolve(options.against ?? root);
/** A server that has not answered by then is ended. */
const PATIENCE_MS = 20_000;

const PROBE = `
  const parse = JSON.parse;
  const now = () => {
    const { user, system } = process.cpuUsage();
    return { wall: performance.now(), cpu: (user + system) / 1000 };
  };
  let [last, parsed, longest] = [now(), { wall: 0, cpu: 0 }, 0];
  JSON.parse = (text, ...more) => {
    if (String(text).length < 10_000) return parse(text, ...more);
    const start = now();
    try { return parse(text, ...more); } finally {
      const end = now();
      parsed.wall += end.wall - start.wall;
      parsed.cpu += end.cpu - start.cpu;
    }
  };
  const look = () => {
    const here = now();
    longest = Math.max(longest, Math.min(here.wall - last.wall - parsed.wall, here.cpu - last.cpu - parsed.cpu));
    [last, parsed] = [here, { wall: 0, cpu: 0 }];
  };
  setInterval(look, 1).unref();
  process.on('message', () => { look(); process.send(longest); longest = 0; });
  process.channel.unref();
`;

const MEGABYTE = 1_000_000;
const HEAD = 12_000;
const fill = (part, size = MEGABYTE) => part.repeat(Math.ceil(size / part.length)).slice(0, size);

/** What each text is fed. */
const PARTS = {
  word: 'turn ',
  blanks: ' ',
  brackets: '[',
  percents: '%4a%',
  idioms: 'turn x on set up get rid of throw it ',
};

const string = { type: 'string' };
const members = (of) => Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`member_name_${at}`, of]));
const member = { type: 'object', properties: members({ type: 'object', properties: members(string) }) };
const document = {
  openapi: '3.1.0',
  info: { title: 'Turns', version: '1.0.0' },
  servers: [{ url: 'http://127.0.0.1:1' }],
  security: [{ Turns: [] }],
  paths: {
    '/answers': {
      get: {
        operationId: 'answer',
        parameters: [{ name: 'shape', in: 'query', schema: string }],
        'x-mcp': { fields: true },
        responses: {
          200: {
            description: 'Fine.',
            content: { 'application/json': { schema: { type: 'array', items: member } } },
          },
        },
      },
    },
    '/lines': {
      get: {
        operationId: 'lines',
        parameters: [{ name: 'shape', in: 'query', schema: string }],
        responses: {
          200: { description: 'Fine.', content: { 'application/jsonl': { itemSchema: member } } },
        },
      },
    },
    '/filters': {
      post: {
        operationId: 'filter',
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: { filter: { $ref: '#/components/schemas/Filter' }, texts: { type: 'array' } },
              },
            },
          },
        },
        responses: { 200: { description: 'Fine.' } },
      },
    },
    '/many': {
      post: {
        operationId: 'many',
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  tree: { $ref: '#/components/schemas/Tree' },
                  map: {
                    type: 'object',
                    properties: { id: { type: 'string', readOnly: true } },
                    patternProperties: { '^a.*b': string, '^.*c$': { type: 'number', readOnly: true } },
                    propertyNames: { maxLength: 5, pattern: '^[a-z]*$' },
                  },
                  closed: {
                    allOf: [{ properties: { a: true } }, { properties: { b: true } }],
                    unevaluatedProperties: false,
                  },
                },
              },
            },
          },
        },
        responses: { 200: { description: 'Fine.' } },
      },
    },
    '/parts': {
      post: {
        operationId: 'parts',
        requestBody: {
          content: {
            'multipart/form-data': {
              schema: { type: 'object', properties: { items: { type: 'array', items: string } } },
            },
          },
        },
        responses: { 200: { description: 'Fine.' } },
      },
    },
  },
  components: {
    securitySchemes: { Turns: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    schemas: {
      Filter: {
        oneOf: ['and', 'or', 'not'].map((op) => ({
          type: 'object',
          required: ['op'],
          properties: {
            op: { const: op },
            args: { type: 'array', items: { $ref: '#/components/schemas/Filter' } },
          },
        })),
      },
      Tree: {
        oneOf: [
          ...[1, 2].map((kind) => ({
            type: 'object',
            properties: { t: { $ref: '#/components/schemas/Tree' }, k: { const: kind } },
          })),
          { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
        ],
      },
    },
  },
};

const THINGS = [
  'order',
  'customer',
  'invoice',
  'product',
  'payment',
  'refund',
  'shipment',
  'address',
  'user',
  'team',
];
const KINDS = Array.from({ length: 1_000 }, (_, at) => `Kind${at}`);
const tools = Array.from({ length: 6_000 }, (_, at) => {
  const thing = THINGS[at % THINGS.length];
  const operation = {
    operationId: `get_${thing}_o${(at * 7_919).toString(36)}`,
    summary: `Get the ${thing} of number ${at}.`,
    responses: { 200: { description: 'Fine.' } },
  };
  return [`/${thing}${at}`, { get: operation }];
});
/** 6,000 tools, and arguments with a thousand alternatives that contain each other. */
const largeDocument = {
  ...document,
  info: { title: 'Many turns', version: '1.0.0' },
  security: [],
  paths: {
    ...Object.fromEntries(tools),
    '/kinds': {
      post: {
        operationId: 'kinds',
        requestBody: {
          content: {
            'application/json': {
              schema: { type: 'object', properties: { filter: { $ref: '#/components/schemas/Kind' } } },
            },
          },
        },
        responses: { 200: { description: 'Fine.' } },
      },
    },
  },
  components: {
    schemas: {
      Kind: { oneOf: KINDS.map((name) => ({ $ref: `#/components/schemas/${name}` })) },
      ...Object.fromEntries(
        KINDS.map((name) => [
          name,
          {
            type: 'object',
            required: ['kind'],
            properties: {
              kind: { const: name },
              a: { type: 'array', items: { $ref: '#/components/schemas/Kind' } },
            },
          },
        ]),
      ),
    },
  },
};

const handlers = `import type { Tools } from '../generated/types.ts';
import type { Handlers } from '../runtime/types.ts';
export const handlers: Handlers<Tools> = {
  resources: { 'own://one': { name: 'one', read: () => 'one' } },
  resourceTemplates: {
    'own://plain/{id}': { name: 'plain', read: () => 'plain' },
    'own://full{/steps*}{?query,page}': { name: 'full', read: () => 'full' },
  },
  prompts: { ask: { arguments: [{ name: 'what' }], handler: () => 'asked' } },
  completions: { ask: { what: () => ['one'] } },
  extraTools: [{ name: 'touch', inputSchema: { type: 'object' }, execution: { taskSupport: 'optional' }, handler: () => 'touched' }],
};
`;

const COUNT = 1_000_000;
const million = (item, [open, close] = ['[', ']']) =>
  open + Array.from({ length: COUNT }, item).join() + close;

/** Almost as many members as an answer or a message may have. */
const few = (item, count = 99_000) => Array.from({ length: count }, (_, at) => item(at));

/** A million members each, but for the last nine. @type {Record<string, () => string>} */
const SHAPES = {
  object: () => million((_, at) => `"a${at}":1`, '{}'),
  numbers: () => million(() => '1'),
  strings: () => million(() => '"a"'),
  objects: () => million(() => '{}'),
  'nested lists': () => '['.repeat(COUNT) + ']'.repeat(COUNT),
  'nested objects': () => '{"a":'.repeat(COUNT) + '1' + '}'.repeat(COUNT),
  lines: () => '{"a":1}\n'.repeat(COUNT),
  'escaped text': () => JSON.stringify({ a: '"\\'.repeat(COUNT) }),
  'escaped text without an end': () => JSON.stringify('"\\'.repeat(COUNT)).slice(0, -1),
  'integers of 21 digits': () => `[${few(() => '123456789012345678901').join()}]`,
  'long names': () => JSON.stringify(Object.fromEntries(few((at) => [`${'ab'.repeat(20)}${at}`, at]))),
  'a long text in 450 lists': () => `${'['.repeat(450)}"${'x'.repeat(9_000_000)}"${']'.repeat(450)}`,
  'a number of 8 million decimals': () => `{"id":0.${'1'.repeat(8_000_000)}}`,
  'digits before a fraction': () => `[${'1'.repeat(4_000_000)}.5]`,
  'a page of scripts': () => '<script>'.repeat(COUNT),
};
const HTML = 'a page of scripts';

/** Each case has one text in it that is fed. @type {[name: string, method: string, params: (long: string) => object][]} */
const tool = (name, args) => (long) => ({ name, arguments: args(long) });
const REQUESTS = [
  ['initialize: protocolVersion', 'initialize', (long) => ({ ...initialize.params, protocolVersion: long })],
  [
    'initialize: clientInfo.name',
    'initialize',
    (long) => ({ ...initialize.params, clientInfo: { name: long, version: long } }),
  ],
  ['ping: _meta', 'ping', (long) => ({ _meta: { [long]: long, progressToken: long } })],
  ['tools/list: cursor', 'tools/list', (cursor) => ({ cursor })],
  ['resources/list: cursor', 'resources/list', (cursor) => ({ cursor })],
  ['resources/templates/list: cursor', 'resources/templates/list', (cursor) => ({ cursor })],
  ['prompts/list: cursor', 'prompts/list', (cursor) => ({ cursor })],
  ['tools/call: name', 'tools/call', (name) => ({ name })],
  ['tools/call: name of a member', 'tools/call', tool('answer', (long) => ({ [long]: 1 }))],
  [
    'tools/call: names of members',
    'tools/call',
    tool('answer', (long) => Object.fromEntries(split(long).map((part, at) => [`${part}${at}`, 1]))),
  ],
  ['tools/call: an argument', 'tools/call', tool('touch', (what) => ({ what }))],
  ['tools/call: progressToken', 'tools/call', (long) => ({ name: 'touch', _meta: { progressToken: long } })],
  ['tools/call: traceparent', 'tools/call', (long) => ({ name: 'touch', _meta: { traceparent: long } })],
  ['answer: an item of fields', 'tools/call', tool('answer', (long) => ({ fields: [long] }))],
  ['answer: items of fields', 'tools/call', tool('answer', (long) => ({ fields: split(long) }))],
  ['answer: fields as text', 'tools/call', tool('answer', (fields) => ({ fields }))],
  ['filter: texts', 'tools/call', tool('filter', (long) => ({ texts: split(long) }))],
  ['filter: a step', 'tools/call', tool('filter', (op) => ({ filter: { op } }))],
  ['filter: a filter as text', 'tools/call', tool('filter', (filter) => ({ filter }))],
  ['search_tools: query', 'tools/call', tool('search_tools', (query) => ({ query }))],
  ['describe_tool: name', 'tools/call', tool('describe_tool', (name) => ({ name }))],
  ['describe_tool: path', 'tools/call', tool('describe_tool', (path) => ({ name: 'filter', path }))],
  [
    'describe_tool: a step',
    'tools/call',
    tool('describe_tool', (long) => ({ name: 'filter', path: `/filter/${long}` })),
  ],
  [
    'describe_tool: steps of a recursion',
    'tools/call',
    tool('describe_tool', () => ({
      name: 'filter',
      path: `/filter${fill('/args/0', 112)}`,
    })),
  ],
  ['call_read_tool: name', 'tools/call', tool('call_read_tool', (name) => ({ name }))],
  [
    'call_destructive_tool: arguments',
    'tools/call',
    tool('call_destructive_tool', (long) => ({ name: 'touch', arguments: long })),
  ],
  ['resources/read: uri', 'resources/read', (uri) => ({ uri })],
  ['resources/read: uri of a template', 'resources/read', (long) => ({ uri: `own://plain/${long}` })],
  ['resources/read: uri of steps', 'resources/read', (long) => ({ uri: `own://full/${long}` })],
  ['resources/read: uri of 3.9 MB', 'resources/read', (long) => ({ uri: `own://full/${fill(long, 3.9e6)}` })],
  ['resources/subscribe: uri', 'resources/subscribe', (long) => ({ uri: `own://full/${long}` })],
  ['resources/unsubscribe: uri', 'resources/unsubscribe', (uri) => ({ uri })],
  ['prompts/get: name', 'prompts/get', (name) => ({ name })],
  ['prompts/get: an argument', 'prompts/get', (what) => ({ name: 'ask', arguments: { what } })],
  ['prompts/get: name of an argument', 'prompts/get', (long) => ({ name: 'ask', arguments: { [long]: '' } })],
  [
    'completion/complete: ref.name',
    'completion/complete',
    (name) => ({ ref: { type: 'ref/prompt', name }, argument: { name: 'a', value: '' } }),
  ],
  [
    'completion/complete: ref.uri',
    'completion/complete',
    (uri) => ({ ref: { type: 'ref/resource', uri }, argument: { name: 'a', value: '' } }),
  ],
  [
    'completion/complete: argument',
    'completion/complete',
    (long) => ({ ref: { type: 'ref/prompt', name: 'ask' }, argument: { name: long, value: long } }),
  ],
  [
    'completion/complete: value',
    'completion/complete',
    (value) => ({
      ref: { type: 'ref/prompt', name: 'ask' },
      argument: { name: 'what', value },
      context: { arguments: { [value]: value } },
    }),
  ],
  ['logging/setLevel: level', 'logging/setLevel', (level) => ({ level })],
  ['tasks/get: taskId', 'tasks/get', (taskId) => ({ taskId })],
  ['tasks/result: taskId', 'tasks/result', (taskId) => ({ taskId })],
  ['tasks/cancel: taskId', 'tasks/cancel', (taskId) => ({ taskId })],
  ['tasks/list: cursor', 'tasks/list', (cursor) => ({ cursor })],
  ['a method', '', () => ({})],
  ['an id', 'ping', () => ({})],
  ['an answer of the client', undefined, () => ({})],
  ['notifications/cancelled', 'notifications/cancelled', (long) => ({ requestId: long, reason: long })],
];

/** Messages by what they have many of. @type {[name: string, method: string, column: string, params: () => object][]} */
const many = (name, column, args) => [name, 'tools/call', column, () => ({ name, arguments: args() })];
const MANY = [
  ...[99_000, 300_000].flatMap((count) => [
    many('many', `a tree of ${count}`, () => ({ tree: few(() => ({ t: { t: {} } }), count / 3 - 3) })),
    many('many', `a map of ${count}`, () => ({ map: Object.fromEntries(few((at) => [`a${at}`, 1], count)) })),
    many('many', `${count} unknown members`, () => ({
      closed: Object.fromEntries(few((at) => [`x${at}`, 1], count)),
    })),
    many('parts', `${count} parts`, () => ({ items: few(() => '', count) })),
  ]),
  many('parts', '9,000 parts', () => ({ items: few(() => '', 9_000) })),
];
/** JSON in the place of arguments. @type {[column: string, json: () => string][]} */
const TEXTS = [
  ['digits before a fraction', () => `{"texts":[${'1'.repeat(3_900_000)}.5]}`],
  ['digits', () => `{"texts":[${'1'.repeat(3_900_000)}]}`],
  ['a long list as text', () => `{"texts":"[${'1,'.repeat(1_900_000)}1]"}`],
  ...[99_000, 300_000].map((count) => [
    `an object of ${count} as text`,
    () =>
      `{"filter":${JSON.stringify(JSON.stringify(Object.fromEntries(few((at) => [`a${at}`, 1], count))))}}`,
  ]),
  ['escaped text', () => `{"filter":${JSON.stringify('"'.repeat(1_950_000))}}`],
  ['integers of 21 digits', () => `{"texts":[${few(() => '123456789012345678901').join()}]}`],
];

/** Calls of the server with many tools. @type {[name: string, column: string, args: object][]} */
const LARGE = [
  [
    'describe_tool',
    'a path through 1,000 alternatives',
    { name: 'kinds', path: `/filter${'/a/0'.repeat(245)}` },
  ],
  [
    'search_tools',
    '160 misspelt words',
    { query: Array.from({ length: 160 }, (_, at) => `o${at.toString(36).padStart(4, 'r')}`).join(' ') },
  ],
  ['search_tools', 'misspelt names', { query: few((at) => `${THINGS[at % 10]}z`, 120).join(' ') }],
];

function split(long) {
  return Array.from({ length: Math.min(long.length / 10, 90_000) }, (_, at) =>
    long.slice(at * 10, at * 10 + 10),
  );
}

function messageOf(name, method, params, long) {
  const message = { jsonrpc: '2.0', id: 1, method, params };
  if (name === 'a method') message.method = long;
  if (name === 'an id') message.id = long;
  if (method === undefined) return { jsonrpc: '2.0', id: long, result: { [long]: long } };
  if (method.startsWith('notifications/')) delete message.id;
  return message;
}

const HEADERS = [
  ...['mcp-session-id', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'accept', 'content-type'],
  ...['content-encoding', 'origin', 'host', 'last-event-id', 'authorization', 'dpop', 'cookie'],
  ...['x-forwarded-for', 'forwarded', 'traceparent', 'tracestate', 'baggage', 'sec-fetch-site'],
];

async function openServer(main, api) {
  const probe = `data:text/javascript,${encodeURIComponent(PROBE)}`;
  const child = spawn(
    process.execPath,
    ['--import', probe, main, '--transport', 'http', '--port', '0', '--surface', 'both'],
    {
      env: {
        PATH: process.env.PATH,
        API_BASE_URL: api,
        API_RESPONSE_BYTES: String(64 * 1024 * 1024),
        API_KEY_TURNS: 'a secret of the operator',
      },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    },
  );
  const url = await urlOf(child);
  const { headers } = await ask(url, { body: JSON.stringify(initialize) });
  return { child, url, session: { 'mcp-session-id': headers['mcp-session-id'] } };
}

async function readLongestTurn({ child }) {
  const answer = once(child, 'message');
  child.send('longest');
  return (await answer)[0];
}

/** Undefined where there was no answer in time. */
async function measureTurn(server, send) {
  await readLongestTurn(server);
  const late = AbortSignal.timeout(PATIENCE_MS);
  const answered = send(server).then(
    () => readLongestTurn(server),
    () => readLongestTurn(server),
  );
  return Promise.race([answered, once(late, 'abort').then(() => undefined)]);
}

function* listLargeCases() {
  for (const [name, column, args] of LARGE) {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: args },
    });
    yield [name, column, ({ url, session }) => ask(url, { body, headers: session })];
  }
}

function* listCases() {
  for (const [part, word] of Object.entries(PARTS)) {
    for (const [name, method, params] of REQUESTS) {
      const long = fill(word);
      const body = JSON.stringify(messageOf(name, method, params(long), long));
      yield [name, part, ({ url, session }) => ask(url, { body, headers: session })];
      if (method !== 'tools/call' && method !== 'resources/read') continue;
      // The revision without sessions has the name in a header, too.
      const { message, headers } = modern({ jsonrpc: '2.0', id: 1, method, params: params(long) });
      if (headers['mcp-name'].length > HEAD) headers['mcp-name'] = 'x';
      yield [
        `${name}, in 2026-07-28`,
        part,
        ({ url }) => ask(url, { body: JSON.stringify(message), headers }),
      ];
    }
    for (const header of HEADERS) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
      const value = fill(word, HEAD);
      yield [
        `header ${header}`,
        part,
        ({ url, session }) => ask(url, { body, headers: { ...session, [header]: value } }),
      ];
    }
  }
  for (const [name, method, column, params] of MANY) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: params() });
    yield [name, column, ({ url, session }) => ask(url, { body, headers: session })];
  }
  for (const [column, json] of TEXTS) {
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"filter","arguments":${json()}}}`;
    yield ['filter', column, ({ url, session }) => ask(url, { body, headers: session })];
  }
  for (const name of ['answer', 'lines'])
    for (const shape of Object.keys(SHAPES)) {
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: { shape } } };
      yield [
        `an answer to ${name}`,
        shape,
        ({ url, session }) => ask(url, { body: JSON.stringify(call), headers: session }),
      ];
    }
}

await withTempFolder('turns', async (folder) => {
  const api = await openApi();
  const url = `http://127.0.0.1:${api.address().port}`;
  const compile = async (name, source, ...args) => {
    const [file, project] = [path.join(folder, `${name}.json`), path.join(folder, `${name}-mcp`)];
    await writeFile(file, JSON.stringify(source));
    const mcpgen = (...line) =>
      runOrThrow(process.execPath, [path.join(CHECKOUT, 'dist/bin/mcpgen.js'), ...line], { cwd: folder });
    await mcpgen('openapi', file, '-o', project, '--surface', 'both', ...args);
    return { mcpgen, project, start: () => openServer(path.join(project, 'dist/main.js'), url) };
  };
  const chosen = (cases) => [...cases].filter(([name, column]) => ONLY.test(`${name} ${column}`));
  const table = new Map();
  const cases = chosen(listCases());
  if (cases.length > 0) {
    const features = 'sse,tasks,transfers,uri-templates,patterns';
    const { mcpgen, project, start } = await compile('turns', document, '--feature', features);
    await writeFile(path.join(project, 'src/handlers/index.ts'), handlers);
    await mcpgen('generate', project);
    await measureCases(cases, start, table);
  }
  const largeCases = chosen(listLargeCases());
  if (largeCases.length > 0)
    await measureCases(largeCases, (await compile('many', largeDocument)).start, table);
  api.close();
  api.closeAllConnections();
  print(table);
});

async function openApi() {
  const answers = new Map();
  const api = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://api');
    const shape = searchParams.get('shape') ?? 'numbers';
    if (!Object.hasOwn(SHAPES, shape)) return void response.writeHead(404).end();
    if (!answers.has(shape)) answers.set(shape, SHAPES[shape]());
    const type = pathname === '/lines' ? 'application/jsonl' : 'application/json';
    const head = shape === HTML ? [500, 'text/html'] : [200, type];
    response.writeHead(head[0], { 'content-type': head[1] }).end(answers.get(shape));
  }).listen(0, '127.0.0.1');
  await once(api, 'listening');
  return api;
}

async function measureCases(cases, start, table) {
  let server = await start();
  for (const [name, column, send] of cases) {
    let least = Infinity;
    for (let run = 0; run < RUNS; run++) {
      const turn = await measureTurn(server, send);
      least = Math.min(least, turn ?? Infinity);
      if (turn !== undefined && turn <= MOST_MS / 5) break;
      if (turn !== undefined) continue;
      server.child.kill('SIGKILL');
      await endOf(server.child);
      server = await start();
      break;
    }
    const row = table.get(name) ?? new Map();
    table.set(name, row.set(column, least));
    console.error(`${name}, ${column}: ${least.toFixed(0)}`);
  }
  server.child.kill('SIGKILL');
  await endOf(server.child);
}

function print(table) {
  const late = [];
  for (const [name, row] of table) {
    const cells = [...row].map(([column, ms]) => {
      if (ms > MOST_MS) late.push(`${name}, ${column}`);
      return `${column} ${ms === Infinity ? `> ${PATIENCE_MS}` : ms.toFixed(0)}`;
    });
    console.log(`${name}: ${cells.join(' · ')}`);
  }
  const words = late.length === 0 ? 'None is' : `${late.length} are`;
  console.log(`\n${words} longer than ${MOST_MS} ms.${late.map((each) => `\n  ${each}`).join('')}`);
  process.exitCode = late.length === 0 ? 0 : 1;
}
