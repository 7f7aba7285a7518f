// `tools` of the configuration: what keys match, what members do, and what is said of a mistake and where.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ServerModel, Tool } from '../../src/model/server-model.ts';
import { runInProcess } from './support/fake-host.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const text = { type: 'string' };
const pet = { type: 'object', properties: { id: text, name: text } };
const responses = {
  200: { description: 'x', content: { 'application/json': { schema: pet } } },
};
const limit = { name: 'limit', in: 'query', schema: { type: 'integer' } };
const kind = { name: 'kind', in: 'query', required: true, schema: text };
const petId = { name: 'petId', in: 'path', required: true, schema: text };

const document = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'https://pets.example.com' }],
  security: [{ login: ['read'] }],
  components: {
    securitySchemes: { login: { type: 'openIdConnect', openIdConnectUrl: 'https://id.example.com' } },
  },
  paths: {
    '/pets': {
      get: {
        operationId: 'listPets',
        summary: 'Lists pets.',
        tags: ['pets'],
        parameters: [limit, kind],
        responses,
      },
      post: { operationId: 'addPet', summary: 'Adds a pet.', tags: ['pets'], responses },
    },
    '/pets/{petId}': {
      delete: {
        ...{ operationId: 'deletePet', summary: 'Deletes a pet.', tags: ['pets', 'admin'] },
        ...{ parameters: [petId, limit], responses, 'x-mcp': { confirm: 'always', timeout: 900 } },
      },
    },
    '/state': {
      get: { operationId: 'state', summary: 'Reads the state.', tags: ['admin'], responses },
    },
    '/find': {
      post: {
        ...{ operationId: 'findPets', summary: 'Finds pets.', tags: ['pets'], responses },
        'x-mcp': { annotations: { readOnlyHint: false }, title: 'Of the document', output: { drop: ['id'] } },
      },
    },
  },
};

const functions = `
/** Adds two numbers.
 * @tool
 * @scope sums
 */
export function add(a: number, b?: number): number {
  return a + (b ?? 0);
}
/** Says hello.
 * @tool
 */
export function hello(): string {
  return 'hello';
}
`;

function configure(tools: object, more: object = {}): string {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'pets.json'), JSON.stringify(document));
  writeFileSync(join(cwd, 'tools.ts'), functions);
  const config = { source: 'pets.json', ...more, tools };
  writeFileSync(join(cwd, 'mcpgen.config.json'), JSON.stringify(config, undefined, 2));
  return cwd;
}

const OF_FUNCTIONS = { source: undefined, name: 'sums', typescript: { files: ['tools.ts'] } };

async function inspect(tools: object, more: object = {}): Promise<ServerModel> {
  return readModel(configure(tools, more));
}

async function readModel(cwd: string): Promise<ServerModel> {
  const { stdout, stderr, exitCode } = await runInProcess(['inspect', '.', '--json'], { cwd });
  if (exitCode !== 0) throw new Error(stdout + stderr);
  return JSON.parse(stdout) as ServerModel;
}

function find({ tools }: ServerModel, name: string): Tool {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`There is no ${name}.`);
  return tool;
}

describe('members', () => {
  test.each<[string, object, string, object]>([
    ['texts', { listPets: { title: 'T', description: 'D.' } }, 'listPets', { title: 'T', description: 'D.' }],
    ['a pin', { listPets: { pin: true } }, 'listPets', { pin: true }],
    ['a question', { state: { confirm: 'always' } }, 'state', { binding: { confirm: 'always' } }],
    ['scopes, which add up', { listPets: { scopes: ['x', 'read'] } }, 'listPets', { scopes: ['read', 'x'] }],
    [
      'headers',
      { state: { headers: { 'X-A': '${A}' } } },
      'state',
      { binding: { headers: { 'X-A': '${A}' } } },
    ],
    ['a time', { state: { timeout: 100 } }, 'state', { binding: { timeoutMs: 100 } }],
    [
      'hints',
      { addPet: { hints: { readOnly: true, openWorld: false } } },
      'addPet',
      { annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false } },
    ],
    [
      'arguments',
      { listPets: { arguments: { kind: { const: 'cat' }, limit: { description: 'How many.' } } } },
      'listPets',
      {
        inputSchema: { properties: { limit: { type: 'integer', description: 'How many.' } } },
        binding: { known: { kind: { value: 'cat' } } },
      },
    ],
    [
      'answers',
      { state: { output: { select: ['name'] }, fields: true } },
      'state',
      {
        binding: {
          result: { select: { name: true }, fields: { argument: 'fields', names: { name: {} } } },
        },
      },
    ],
  ])('%s', async (_, tools, name, want) => {
    expect(find(await inspect(tools), name)).toMatchObject(want);
  });

  test('an excluded tool is in no list, nor is its resource', async () => {
    const model = await inspect({ state: { exclude: true } });
    expect(model.tools.map(({ name }) => name)).not.toContain('state');
    expect(model.resources).toEqual([]);
    expect(model.deselected?.map(({ op }) => op)).toEqual([['state']]);
    expect((await inspect({})).resources).toHaveLength(1);
  });

  test('a new name, which resources follow and the lock does not', async () => {
    const cwd = configure({ state: { name: 'read_state' } }, { output: 'out' });
    expect(await runInProcess(['generate'], { cwd })).toMatchObject({ exitCode: 0 });
    const bindings = readFileSync(join(cwd, 'out/src/generated/bindings.json'), 'utf8');
    expect(bindings).toContain('"do":{"kind":"tool","name":"read_state"}');
    const lock = readFileSync(join(cwd, 'out/mcpgen.lock'), 'utf8');
    expect(JSON.parse(lock)).toMatchObject({ names: { 'GET /state': 'state' } });
    expect(await runInProcess(['check'], { cwd })).toMatchObject({ exitCode: 0 });
  });

  test.each<[string, object, object]>([
    [
      'texts and a pin',
      { title: 'T', description: 'D.', pin: true },
      { title: 'T', description: 'D.', pin: true },
    ],
    ['hints', { hints: { readOnly: true } }, { annotations: { readOnlyHint: true, destructiveHint: false } }],
    [
      'arguments',
      { arguments: { a: { description: 'One.' }, b: { hide: true } } },
      { inputSchema: { properties: { a: { type: 'number', description: 'One.' } } } },
    ],
  ])('of a function: %s', async (_, rules, want) => {
    const tool = find(await inspect({ add: rules }, OF_FUNCTIONS), 'add');
    expect(tool).toMatchObject(want);
    if ('arguments' in rules) expect(Object.keys(tool.inputSchema.properties ?? {})).toEqual(['a']);
  });

  test('of a function: no such tool', async () => {
    const { tools, deselected } = await inspect({ hello: { exclude: true } }, OF_FUNCTIONS);
    expect(tools.map(({ name }) => name)).toEqual(['add']);
    expect(deselected?.map(({ op }) => op)).toEqual([['hello']]);
  });
});

const title = (text: string): object => ({ title: text });

describe('keys', () => {
  test.each<[string, object, string | undefined]>([
    ['a name', { deletePet: title('A') }, 'A'],
    ['an operation', { 'DELETE /pets/{petId}': title('A') }, 'A'],
    ['an operation with another variable', { 'delete /pets/{id}': title('A') }, 'A'],
    ['a later selector over an earlier one', { 'tag:pets': title('B'), 'tag:admin': title('A') }, 'A'],
    ['an operation over selectors', { 'DELETE /pets/{petId}': title('A'), 'tag:admin': title('B') }, 'A'],
    ['a name over an operation', { deletePet: title('A'), 'DELETE /pets/{petId}': title('B') }, 'A'],
    ['others', { listPets: title('A'), 'tag:pets': { pin: true } }, 'Deletes a pet'],
  ])('%s', async (_, tools, want) => {
    expect(find(await inspect(tools), 'deletePet').title).toBe(want);
  });

  test('members of several keys are joined', async () => {
    const tools = {
      'tag:pets': { headers: { 'X-A': '1', 'X-B': '1' }, arguments: { limit: { default: 5 } } },
      listPets: { headers: { 'X-B': '2' }, arguments: { limit: { description: 'How many.' } } },
    };
    expect(find(await inspect(tools), 'listPets')).toMatchObject({
      inputSchema: { properties: { limit: { default: 5, description: 'How many.' } } },
      binding: { headers: { 'X-A': '1', 'X-B': '2' } },
    });
  });

  test('one that a selection leaves out has its match, and so have its arguments', async () => {
    const tools = { deletePet: { confirm: 'always', arguments: { limit: { hide: true } } } };
    const { stderr, exitCode } = await runInProcess(['inspect', '.'], {
      cwd: configure(tools, { exclude: ['method:DELETE'] }),
    });
    expect([exitCode, stderr]).toEqual([0, expect.not.stringContaining('tools-unusable')]);
  });
});

describe('the configuration wins over the document, and what protects adds up', () => {
  test.each<[string, object, string, object]>([
    ['a title', { findPets: title('A') }, 'findPets', { title: 'A' }],
    ['a time', { deletePet: { timeout: 5 } }, 'deletePet', { binding: { timeoutMs: 5 } }],
    [
      'answers, member by member',
      { findPets: { output: { select: ['id', 'name'] } } },
      'findPets',
      { binding: { result: { select: { id: true, name: true }, drop: { id: true } } } },
    ],
    [
      'a weaker question',
      { deletePet: { confirm: 'destructive' } },
      'deletePet',
      { binding: { confirm: 'always' } },
    ],
    [
      'a weaker question under the stronger key',
      { 'tag:admin': { confirm: 'always' }, state: { confirm: 'destructive' } },
      'state',
      { binding: { confirm: 'always' } },
    ],
    [
      'a hint that forbids',
      { state: { hints: { readOnly: false } } },
      'state',
      { annotations: { readOnlyHint: false } },
    ],
  ])('%s', async (_, tools, name, want) => {
    expect(find(await inspect(tools), name)).toMatchObject(want);
  });

  test('an exclusion wins over what the document demands', async () => {
    const cwd = configure({ 'tag:admin': { exclude: true } });
    const state = { ...document.paths['/state'].get, 'x-mcp': true };
    writeFileSync(
      join(cwd, 'pets.json'),
      JSON.stringify({ ...document, paths: { ...document.paths, '/state': { get: state } } }),
    );
    const model = await readModel(cwd);
    expect(model.tools.map(({ name }) => name)).toEqual(['listPets', 'addPet', 'findPets']);
  });

  test('`readOnly` serves what a hint calls reading', async () => {
    const { tools } = await inspect({ addPet: { hints: { readOnly: true } } }, { readOnly: true });
    expect(tools.map(({ name }) => name)).toEqual(['listPets', 'addPet', 'state']);
  });
});

/** A mistake, the line of the configuration that is shown, and words of the message and of the next step. */
const mistakes: [string, object, string, string, string][] = [
  [
    'a name',
    { delatePet: { confirm: 'always' } },
    '"delatePet"',
    'no tool or operation matches',
    '`deletePet`?',
  ],
  [
    'a key like no other',
    { quux: { pin: true } },
    '"quux"',
    'no tool or operation matches',
    'Correct the key',
  ],
  [
    'an argument',
    { listPets: { arguments: { limitt: { hide: true } } } },
    '"limitt"',
    'has an argument',
    '`limit`?',
  ],
  [
    'a required argument',
    { listPets: { arguments: { kind: { hide: true } } } },
    '"kind"',
    'required',
    'Correct the rule',
  ],
  ['a name of another', { addPet: { name: 'listPets' } }, '"name"', 'another tool has it', 'another name'],
  ['a reserved name', { addPet: { name: 'search_tools' } }, '"name"', 'another tool has it', 'another name'],
  ['a name that clients refuse', { addPet: { name: 'add pet' } }, '"name"', '`add pet`', 'another name'],
  [
    'a new name as a key',
    { addPet: { name: 'add_one' }, add_one: { confirm: 'always' } },
    '"add_one": {',
    'no tool or operation matches the key `add_one`',
    'The key is its name in the lock: `addPet`.',
  ],
  ['one name for several', { 'tag:admin': { name: 'x' } }, '"name"', 'several tools', 'one tool'],
  [
    'a name given twice',
    { addPet: { name: 'p' }, state: { name: 'p' } },
    '"name"',
    'another tool has it',
    'another name',
  ],
  [
    'a weaker hint',
    { findPets: { hints: { readOnly: true } } },
    '"readOnly"',
    'which is stricter',
    'Remove one',
  ],
  ['a selector', { 'tga:pets': { pin: true } }, '"tga:pets"', 'a selector starts with tag:', ''],
  ['a secret', { state: { headers: { Authorization: 'Bearer x' } } }, '"Authorization"', 'write ${NAME}', ''],
  ['no exclusion', { state: { exclude: false } }, '"exclude"', 'nothing takes an exclusion back', ''],
  [
    'two hints that exclude each other',
    { state: { hints: { readOnly: true, destructive: true } } },
    '"hints"',
    'keep one',
    '',
  ],
];

describe('mistakes stop the run, and are shown where they are', () => {
  test.each(mistakes)('%s', async (_, tools, line, message, next) => {
    const cwd = configure(tools);
    const { exitCode, stderr } = await runInProcess(['inspect', '.'], { cwd });
    expect(exitCode).toBeGreaterThan(0);
    const lines = readFileSync(join(cwd, 'mcpgen.config.json'), 'utf8').split('\n');
    const at = lines.findLastIndex((one) => one.includes(line)) + 1;
    expect(stderr).toMatch(new RegExp(`^mcpgen\\.config\\.json:${at}:\\d+ - error `, 'm'));
    expect(stderr).toContain(message);
    expect(stderr).toContain(next);
  });

  test.each(['headers', 'timeout', 'output', 'fields'])('%s of a function', async (member) => {
    const values = { headers: { 'X-A': '1' }, timeout: 5, output: { drop: ['a'] }, fields: true };
    const cwd = configure({ add: { [member]: values[member as keyof typeof values] } }, OF_FUNCTIONS);
    const { exitCode, stderr } = await runInProcess(['inspect', '.'], { cwd });
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`\`${member}\` is for operations, and \`add\` is a function.`);
  });

  test.each<[object, string]>([
    [{ a: { hide: true } }, 'it is required'],
    [{ b: { const: 5 } }, '`const` is for operations'],
    [{ c: { hide: true } }, 'has an argument `c`'],
  ])('arguments of a function: %j', async (rules, message) => {
    const cwd = configure({ add: { arguments: rules } }, OF_FUNCTIONS);
    const { exitCode, stderr } = await runInProcess(['inspect', '.'], { cwd });
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(message)]);
  });

  test('of one of several servers, and behind a comment', async () => {
    const cwd = configure({});
    const server = '{ "source": "pets.json", "tools": {\n "nothing": {} } }';
    writeFileSync(join(cwd, 'mcpgen.config.json'), `// Ours.\n{ "servers": {\n "pets": ${server} } }`);
    const { stderr } = await runInProcess(['inspect', '.'], { cwd });
    expect(stderr).toMatch(/^mcpgen\.config\.json:4:2 - error MCPG472 tools-unusable/m);
  });
});

test('inspect shows what the configuration changes', async () => {
  const cwd = configure({ listPets: { name: 'pets', description: 'x', confirm: 'always' } });
  const { stdout } = await runInProcess(['inspect', '.'], { cwd });
  expect(stdout).toMatch(/^ {2}pets +GET \/pets .* read-only, confirm: always$/m);
});
