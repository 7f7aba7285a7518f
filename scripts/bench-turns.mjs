/**
 * `npm run bench:turns`: the longest turn of the event loop that one request, or one answer of the API, causes in an
 * emitted server. Each text of each request is fed a megabyte (a header: what a head holds); requests and answers also
 * come with more members than are taken, and with almost as many. A timer inside the server measures the turns, less the
 * time within `JSON.parse`; a turn is no longer than the processor time of the server in it, and the shortest of three
 * runs counts. Ends with 1 when one is longer than 250 ms, or 50 ms for a program of steps.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

import { startLoopback } from '../fixtures/upstreams/loopback.mjs';
import { ask, initialize, modern } from './lib/attack/session.mjs';
import { endOf, urlOf } from './lib/bench-runtime/process.mjs';
import { compileServer } from './lib/compile-server.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { readOptions } from './lib/usage.mjs';

const usage = 'npm run bench:turns [-- --only <pattern>]';
const { values: options } = readOptions(usage, { options: { only: { type: 'string', default: '' } } });
const ONLY = new RegExp(options.only);
const RUNS = 3;
const MOST_MS = 250;
/** Of a program of steps. */
const STEPS_MS = 50;
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

// --- The servers ----------------------------------------------------------------------------------------------------

const string = { type: 'string' };
const ref = (name) => ({ $ref: `#/components/schemas/${name}` });
const object = (properties, more) => ({ type: 'object', properties, ...more });
const list = (items) => ({ type: 'array', items });
const fine = (content) => ({ 200: { description: 'Fine.', ...(content && { content }) } });
const shape = { name: 'shape', in: 'query', schema: string };
const get = (operationId, content) => ({
  get: { operationId, parameters: [shape], 'x-mcp': { fields: true }, responses: fine(content) },
});
const post = (operationId, properties, mediaType = 'application/json') => ({
  post: {
    operationId,
    requestBody: { content: { [mediaType]: { schema: object(properties) } } },
    responses: fine(),
  },
});
const members = (of) => Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`member_name_${at}`, of]));
const member = object(members(object(members(string))));
const document = {
  openapi: '3.1.0',
  info: { title: 'Turns', version: '1.0.0' },
  servers: [{ url: 'http://127.0.0.1:1' }],
  security: [{ Turns: [] }],
  paths: {
    '/answers': get('answer', { 'application/json': { schema: list(member) } }),
    '/lines': get('lines', { 'application/jsonl': { itemSchema: member } }),
    '/filters': post('filter', { filter: ref('Filter'), texts: { type: 'array' } }),
    '/parts': post('parts', { items: list(string) }, 'multipart/form-data'),
    '/many': post('many', {
      tree: ref('Tree'),
      map: object(
        { id: { type: 'string', readOnly: true } },
        {
          patternProperties: { '^a.*b': string, '^.*c$': { type: 'number', readOnly: true } },
          propertyNames: { maxLength: 5, pattern: '^[a-z]*$' },
        },
      ),
      closed: object(undefined, {
        allOf: [{ properties: { a: true } }, { properties: { b: true } }],
        unevaluatedProperties: false,
      }),
    }),
  },
  components: {
    securitySchemes: { Turns: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    schemas: {
      Filter: {
        oneOf: ['and', 'or', 'not'].map((op) =>
          object({ op: { const: op }, args: list(ref('Filter')) }, { required: ['op'] }),
        ),
      },
      Tree: {
        oneOf: [...[1, 2].map((kind) => object({ t: ref('Tree'), k: { const: kind } })), list(ref('Tree'))],
      },
    },
  },
};

const handlers = `import type { Tools } from '../generated/types.ts';
import type { Handlers } from '../runtime/types.ts';
const rows = {
  name: 'rows',
  inputSchema: { type: 'object' as const, properties: { shape: { type: 'string' as const } } },
  annotations: { readOnlyHint: true },
  handler: async ({ shape }: { shape?: unknown }) => {
    const answer = await fetch(process.env['API_BASE_URL'] + '/rows?shape=' + shape);
    return { content: [{ type: 'text' as const, text: await answer.text() }] };
  },
};
export const handlers: Handlers<Tools> = {
  resources: { 'own://one': { name: 'one', read: () => 'one' } },
  resourceTemplates: {
    'own://plain/{id}': { name: 'plain', read: () => 'plain' },
    'own://full{/steps*}{?query,page}': { name: 'full', read: () => 'full' },
  },
  prompts: { ask: { arguments: [{ name: 'what' }], handler: () => 'asked' } },
  completions: { ask: { what: () => ['one'] } },
  extraTools: [rows, { name: 'touch', inputSchema: { type: 'object' }, execution: { taskSupport: 'optional' }, handler: () => 'touched' }],
};
`;

// --- What they are sent ---------------------------------------------------------------------------------------------

const fill = (part, size = 1_000_000) => part.repeat(Math.ceil(size / part.length)).slice(0, size);

/** What each text is fed. */
const PARTS = {
  word: 'turn ',
  blanks: ' ',
  brackets: '[',
  percents: '%4a%',
  idioms: 'turn x on set up get rid of throw it ',
};

const call = (name) => ({ name, arguments: {} });
const ofPrompt = { ref: { type: 'ref/prompt', name: 'ask' }, argument: { name: 'what', value: '' } };
const ofTemplate = { ref: { type: 'ref/resource' }, argument: { name: 'a', value: '' } };
/**
 * Method, place of the text, and what else there is. `[]`: pieces of the text, `{}`: a name of a member, `{}[]`: pieces as
 * names, `=`: a text before it.
 */
const REQUESTS = [
  ['initialize', 'protocolVersion', initialize.params],
  ['initialize', 'clientInfo.name', initialize.params],
  ['ping', '_meta{}'],
  ...['tools', 'resources', 'resources/templates', 'prompts', 'tasks'].map((of) => [`${of}/list`, 'cursor']),
  ...['get', 'result', 'cancel'].map((verb) => [`tasks/${verb}`, 'taskId']),
  ['tools/call', 'name'],
  ['tools/call', 'arguments{}', call('answer')],
  ['tools/call', 'arguments{}[]', call('answer')],
  ['tools/call', 'arguments.what', call('touch')],
  ['tools/call', '_meta.progressToken', call('touch')],
  ['tools/call', '_meta.traceparent', call('touch')],
  ['tools/call', 'arguments.fields', call('answer')],
  ['tools/call', 'arguments.fields[]', call('answer')],
  ['tools/call', 'arguments.texts[]', call('filter')],
  ['tools/call', 'arguments.filter.op', call('filter')],
  ['tools/call', 'arguments.filter', call('filter')],
  ['tools/call', 'arguments.query', call('search_tools')],
  ['tools/call', 'arguments.name', call('describe_tool')],
  ['tools/call', 'arguments.path', { name: 'describe_tool', arguments: { name: 'filter' } }],
  ['tools/call', 'arguments.path=/filter/', { name: 'describe_tool', arguments: { name: 'filter' } }],
  ['tools/call', 'arguments.name', call('call_read_tool')],
  ['tools/call', 'arguments.arguments', { name: 'call_destructive_tool', arguments: { name: 'touch' } }],
  ...['', '=own://plain/', '=own://full/'].map((start) => ['resources/read', `uri${start}`]),
  ['resources/subscribe', 'uri=own://full/'],
  ['resources/unsubscribe', 'uri'],
  ['prompts/get', 'name'],
  ['prompts/get', 'arguments.what', call('ask')],
  ['prompts/get', 'arguments{}', call('ask')],
  ['completion/complete', 'ref.name', ofPrompt],
  ['completion/complete', 'argument.name', ofPrompt],
  ['completion/complete', 'argument.value', ofPrompt],
  ['completion/complete', 'context.arguments{}', ofPrompt],
  ['completion/complete', 'ref.uri', ofTemplate],
  ['logging/setLevel', 'level'],
  ['notifications/cancelled', 'reason'],
];

const HEADERS = [
  ...['mcp-session-id', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'accept', 'content-type'],
  ...['content-encoding', 'origin', 'host', 'last-event-id', 'authorization', 'dpop', 'cookie'],
  ...['x-forwarded-for', 'forwarded', 'traceparent', 'tracestate', 'baggage', 'sec-fetch-site'],
];
/** What a head holds. */
const HEAD = 12_000;

/** Members with the text at its place. */
function fed(place, long, rest = {}) {
  const [, steps, kind, before = ''] = /^([\w.]+)((?:\{\})?(?:\[\])?)(?:=(.*))?$/.exec(place);
  const pieces = Array.from({ length: Math.min(long.length / 10, 90_000) }, (_, at) => [
    `${long.slice(at * 10, at * 10 + 10)}${at}`,
    1,
  ]);
  const text = before + long;
  const values = { '': text, '{}': { [text]: 1 }, '{}[]': Object.fromEntries(pieces) };
  const params = structuredClone(rest);
  const names = steps.split('.');
  const last = names.pop();
  const parent = names.reduce((value, name) => (value[name] ??= {}), params);
  parent[last] = kind === '[]' ? pieces.map(([piece]) => piece) : values[kind];
  return params;
}

const COUNT = 1_000_000;
const million = (item, [open, close] = ['[', ']']) =>
  open + Array.from({ length: COUNT }, item).join() + close;

/** Almost as many members as an answer or a message may have. */
const few = (item, count = 99_000) => Array.from({ length: count }, (_, at) => item(at));

/** Answers of the API. */
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
  '20,000 integers of 21 digits': () => `[${few(() => '123456789012345678901', 20_000).join()}]`,
  'long names': () => JSON.stringify(Object.fromEntries(few((at) => [`${'ab'.repeat(20)}${at}`, at]))),
  'a long text in 450 lists': () => `${'['.repeat(450)}"${'x'.repeat(9_000_000)}"${']'.repeat(450)}`,
  'a number of 8 million decimals': () => `{"id":0.${'1'.repeat(8_000_000)}}`,
  'digits before a fraction': () => `[${'1'.repeat(4_000_000)}.5]`,
  'a page of scripts': () => '<script>'.repeat(COUNT),
};
const HTML = 'a page of scripts';

/** Arguments as JSON: tool, what there is a lot of, and the text. */
const ARGUMENTS = [
  ...[99_000, 300_000].flatMap((count) => {
    const numbers = (name) => Object.fromEntries(few((at) => [`${name}${at}`, 1], count));
    const cases = [
      ['many', 'a tree', () => ({ tree: few(() => ({ t: { t: {} } }), count / 3 - 3) })],
      ['many', 'a map', () => ({ map: numbers('a') })],
      ['many', 'unknown members', () => ({ closed: numbers('x') })],
      ['parts', 'parts', () => ({ items: few(() => '', count) })],
      ['filter', 'an object as text', () => ({ filter: JSON.stringify(numbers('a')) })],
    ];
    return cases.map(([name, what, args]) => [name, `${what} of ${count}`, () => JSON.stringify(args())]);
  }),
  ['filter', 'digits before a fraction', () => `{"texts":[${'1'.repeat(3_900_000)}.5]}`],
  ['filter', 'digits', () => `{"texts":[${'1'.repeat(3_900_000)}]}`],
  ['filter', 'a long list as text', () => `{"texts":"[${'1,'.repeat(1_900_000)}1]"}`],
  ['filter', 'escaped text', () => `{"filter":${JSON.stringify('"'.repeat(1_950_000))}}`],
  ['filter', 'integers of 21 digits', () => `{"texts":${SHAPES['integers of 21 digits']()}}`],
];

const nest = (value, levels) =>
  JSON.parse(`${'['.repeat(levels)}${JSON.stringify(value)}${']'.repeat(levels)}`);
const skipped = { id: 'a', call: 'rows', when: 'false' };
const asked = (shape) => ({ id: 'a', call: 'rows', arguments: { shape: encodeURIComponent(shape) } });
const doubling = '[*,*]'.repeat(17);
/** Too many of them for one expression, and as many as it takes. */
const LARGE_INTEGERS = ['integers of 21 digits', '20,000 integers of 21 digits'];
/** Programs that ask for more than they get: what there is a lot of, and the program. */
const PROGRAMS = [
  ...['numbers', 'strings', 'objects', 'nested lists', 'long names', ...LARGE_INTEGERS].flatMap((shape) =>
    ['$length($steps.a)', '$steps.a[?@ == 1]', '$unique($steps.a)', '$sum($steps.a)', '$max($steps.a)'].map(
      (result) => [`${result} of ${shape}`, [asked(shape)], result],
    ),
  ),
  ...LARGE_INTEGERS.flatMap((shape) =>
    ["$join($steps.a, ',')", '$steps.a[?@ > 1]', '$steps.a[:10000]'].map((result) => [
      `${result} of ${shape}`,
      [asked(shape)],
      result,
    ]),
  ),
  ['forEach over a million items', [asked('numbers'), { id: 'b', call: 'rows', forEach: '$steps.a' }]],
  ['$join of a million items', [asked('strings')], "$join($steps.a, ', ')"],
  ['tails that double', [skipped], `$length($inputs.x${doubling})`, { x: nest(1, 17) }],
  ['filters in filters', [asked('objects')], '$steps.a[?@[?@[?@.a]]]'],
  ['a filter that looks at all', [asked('numbers')], '$steps.a[?$length($steps.a[?@ == 1]) > 0]'],
  [
    'a comparison of large values',
    [asked('numbers'), { id: 'b', call: 'rows', when: '$steps.a == $steps.a' }],
  ],
  ['a long text a thousand times', [skipped], Array(1_000).fill('$inputs.x'), { x: 'x'.repeat(100_000) }],
  ['a list a thousand times', [skipped], Array(1_000).fill('$inputs.x'), { x: few(() => 1, 90_000) }],
  ['pages', [{ ...asked('long names'), repeat: { while: 'true', with: {}, max: 20 } }], '$length($steps.a)'],
  ['unknown tools', Array.from({ length: 50 }, (_, at) => ({ id: `s${at}`, call: 'answr'.repeat(100) }))],
  [
    'unknown members',
    Array.from({ length: 50 }, (_, at) => ({ id: `s${at}`, call: 'rows', arguments: { shap: at } })),
  ],
  [
    'long conditions',
    Array.from({ length: 50 }, (_, at) => ({
      ...skipped,
      id: `s${at}`,
      when: `${'1 == 1 && '.repeat(190)}false`,
    })),
  ],
].map(([what, steps, result = null, inputs = {}]) => [what, { steps, result, inputs }]);

const request = (method, params, id = 1) => ({ jsonrpc: '2.0', id, method, params });
const callText = (name, args) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":${JSON.stringify(name)},"arguments":${args}}}`;
/** Sends a body in the session of a server. */
const inSession =
  (body, more = {}) =>
  ({ url, session }) =>
    ask(url, {
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { ...session, ...more },
    });

function* listCases() {
  for (const [part, word] of Object.entries(PARTS)) {
    const long = fill(word);
    for (const [method, place, rest] of REQUESTS) {
      const params = fed(place, long, rest);
      const name = `${method}${rest?.name === undefined ? '' : ` of ${rest.name}`}: ${place}`;
      const isNotice = method.startsWith('notifications/');
      yield [name, part, inSession(request(method, params, isNotice ? undefined : 1))];
      if (method !== 'tools/call' && method !== 'resources/read') continue;
      // The revision without sessions has the name in a header, too.
      const { message, headers } = modern(request(method, params));
      if (headers['mcp-name'].length > HEAD) headers['mcp-name'] = 'x';
      const body = JSON.stringify(message);
      yield [`${name}, in 2026-07-28`, part, ({ url }) => ask(url, { body, headers })];
    }
    yield ['a method', part, inSession(request(long, {}))];
    yield ['an id', part, inSession(request('ping', {}, long))];
    yield [
      'an answer of the client',
      part,
      inSession({ jsonrpc: '2.0', id: long, result: { [long]: long } }),
    ];
    for (const header of HEADERS)
      yield [`header ${header}`, part, inSession(request('ping'), { [header]: fill(word, HEAD) })];
  }
  for (const [what, program] of PROGRAMS)
    yield ['steps', what, inSession(callText('run_read_steps', JSON.stringify(program)))];
  for (const [name, what, args] of ARGUMENTS) yield [name, what, inSession(callText(name, args()))];
  for (const name of ['answer', 'lines'])
    for (const shape of Object.keys(SHAPES))
      yield [`an answer to ${name}`, shape, inSession(callText(name, JSON.stringify({ shape })))];
}

// --- The measurement ------------------------------------------------------------------------------------------------

function openApi() {
  const answers = new Map();
  return startLoopback(({ url: { pathname, searchParams } }) => {
    const shape = searchParams.get('shape') ?? 'numbers';
    if (!Object.hasOwn(SHAPES, shape)) return { status: 404 };
    if (!answers.has(shape)) answers.set(shape, SHAPES[shape]());
    const type = pathname === '/lines' ? 'application/jsonl' : 'application/json';
    const [status, contentType] = shape === HTML ? [500, 'text/html'] : [200, type];
    return { status, headers: { 'content-type': contentType }, text: answers.get(shape) };
  });
}

async function openServer(main, api) {
  const probe = `data:text/javascript,${encodeURIComponent(PROBE)}`;
  const args = ['--import', probe, main, '--transport', 'http', '--port', '0', '--surface', 'both'];
  const env = {
    PATH: process.env.PATH,
    API_BASE_URL: api,
    API_RESPONSE_BYTES: String(64 * 1024 * 1024),
    API_KEY_TURNS: 'a secret of the operator',
  };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
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
  const late = once(AbortSignal.timeout(PATIENCE_MS), 'abort').then(() => undefined);
  const read = () => readLongestTurn(server);
  return Promise.race([send(server).then(read, read), late]);
}

/** Returns the cases that are too long. */
async function measureCases(cases, start) {
  const late = [];
  let server = await start();
  const end = async () => {
    server.child.kill('SIGKILL');
    await endOf(server.child);
  };
  for (const [name, what, send] of cases) {
    const most = name === 'steps' ? STEPS_MS : MOST_MS;
    let least = Infinity;
    for (let run = 0; run < RUNS && least > most / 5; run++) {
      const turn = await measureTurn(server, send);
      least = Math.min(least, turn ?? Infinity);
      if (turn !== undefined) continue;
      await end();
      server = await start();
      break;
    }
    console.log(`${name}, ${what}: ${least === Infinity ? `> ${PATIENCE_MS}` : least.toFixed(0)}`);
    if (least > most) late.push(`${name}, ${what}`);
  }
  await end();
  return late;
}

await withTempFolder('turns', async (folder) => {
  const api = await openApi();
  const features = 'sse,tasks,files,uri-templates,patterns,steps';
  const options = ['--surface', 'both', '--feature', features];
  const project = await compileServer(folder, document, { name: 'turns', options, handlers });
  const cases = [...listCases()].filter(([name, what]) => ONLY.test(`${name} ${what}`));
  const late = await measureCases(cases, () => openServer(path.join(project, 'dist/main.js'), api.url));
  await api.close();
  const verdict = late.length === 0 ? 'None is' : `${late.length} are`;
  console.log(
    `\n${verdict} longer than ${MOST_MS} ms (programs of steps: ${STEPS_MS} ms).${late.map((one) => `\n  ${one}`).join('')}`,
  );
  process.exitCode = late.length === 0 ? 0 : 1;
});
