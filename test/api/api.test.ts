// The programmatic API, as a program would use it.
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import {
  check,
  checkAll,
  type Comparison,
  compile,
  draftOverlay,
  generate,
  inspect,
  regenerate,
  regenerateAll,
} from '../../src/index.ts';

const petstore = fileURLToPath(new URL('../../fixtures/petstore.yaml', import.meta.url));
const cwd = mkdtempSync(join(tmpdir(), 'mcpgen-api-'));
cpSync(petstore, join(cwd, 'petstore.yaml'));
afterAll(() => {
  rmSync(cwd, { recursive: true, force: true });
});

function edit(from: string, to: string): void {
  const file = join(cwd, 'petstore.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
}

test('compile gives the model, and writes nothing', async () => {
  const stages: string[] = [];
  const { ok, model, diagnostics } = await compile({
    source: 'petstore.yaml',
    cwd,
    include: ['tag:pets'],
    onStage: (stage) => stages.push(stage),
  });
  expect({ ok, diagnostics, stages }).toEqual({ ok: true, diagnostics: [], stages: ['load', 'derive'] });
  expect(model?.tools.map(({ name }) => name)).toContain('getPet');
  expect(model?.tools.map(({ name }) => name)).not.toContain('getInventory');
});

test('what onStage throws ends the run, and nothing is written', async () => {
  const onStage = () => {
    throw new Error('mine');
  };
  await expect(generate({ source: 'petstore.yaml', cwd, dir: 'ended', onStage })).rejects.toThrow('mine');
  expect(existsSync(join(cwd, 'ended'))).toBe(false);
});

const pets = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'https://pets.example' }],
  paths: { '/pets': { get: { operationId: 'listPets', responses: { '200': { description: 'Pets' } } } } },
};

test('compile and inspect take a document as an object, and leave it as it is', async () => {
  const before = structuredClone(pets);
  const { ok, model, diagnostics } = await compile({ document: pets, cwd });
  expect({ ok, diagnostics: diagnostics.map(({ name }) => name) }).toEqual({ ok: true, diagnostics: [] });
  expect(model?.tools.map(({ name }) => name)).toEqual(['listPets']);
  expect((await inspect({ document: pets, include: ['op:nothing'] })).ok).toBe(false);
  expect(pets).toEqual(before);
});

test('places of a document without a file are pointers, and an object without JSON is a diagnostic', async () => {
  const document = { ...pets, paths: { '/pets/{id}': pets.paths['/pets'] } };
  const { diagnostics } = await compile({ document, cwd });
  expect(diagnostics).toMatchObject([
    {
      name: 'path-parameter-not-declared',
      origin: { file: '<document>', pointer: '/paths/~1pets~1{id}/get' },
    },
  ]);
  const circle: typeof pets & { self?: object } = { ...pets };
  circle.self = circle;
  expect((await compile({ document: circle })).diagnostics).toMatchObject([
    {
      severity: 'error',
      message: expect.stringMatching(
        /^<document> cannot be read: the object has no JSON\. [^\n]+$/,
      ) as string,
      hint: expect.stringContaining('with its `$ref`s') as string,
    },
  ]);
});

test('compile reports problems as values', async () => {
  const { ok, model, diagnostics } = await compile({ source: 'missing.yaml', cwd });
  expect({ ok, model }).toEqual({ ok: false, model: undefined });
  expect(diagnostics).toMatchObject([{ code: 'MCPG101', name: 'source-not-found', severity: 'error' }]);
});

test.each([
  { given: { source: 'a', include: 'tag:pets' }, problems: ['"include" must be a list of strings'] },
  {
    given: { source: 'a', outputSchema: 'lose', dryRun: 'yes' },
    problems: [
      '"outputSchema" must be one of loose, strict, off (did you mean loose?)',
      '"dryRun" must be true or false',
    ],
  },
])('options from JavaScript: $given', async ({ given, problems }) => {
  for (const call of [compile, generate, inspect, draftOverlay]) {
    const { diagnostics } = (await Reflect.apply(call, undefined, [given])) as Awaited<
      ReturnType<typeof compile>
    >;
    const name = { [inspect.name]: 'compile' }[call.name] ?? call.name;
    const start = `The options of ${name} cannot be used: `;
    expect(diagnostics).toMatchObject(problems.map(() => ({ name: 'invalid-options', severity: 'error' })));
    expect(diagnostics.filter(({ message }) => !message.startsWith(start))).toEqual([]);
    const told = diagnostics.map(({ message }) => message.slice(start.length, -1));
    expect(told).toEqual(problems);
  }
});

test('runs of a project from JavaScript', async () => {
  for (const call of [check, checkAll, regenerate, regenerateAll]) {
    const outcome = (await Reflect.apply(call, undefined, ['out', { force: 'yes' }])) as
      Comparison | Comparison[];
    expect([outcome].flat()).toMatchObject([
      {
        ok: false,
        diagnostics: [{ name: 'invalid-options', message: expect.stringContaining('"force"') as string }],
      },
    ]);
  }
});

test('generate writes a project, which check finds fresh until something changes', async () => {
  const first = await generate({ source: 'petstore.yaml', cwd, dir: 'out', name: 'pets' });
  expect(first).toMatchObject({
    ok: true,
    dir: 'out',
    diagnostics: [],
    report: { removed: [], kept: [] },
  });
  expect(existsSync(join(cwd, 'out/dist/main.js'))).toBe(true);
  expect(JSON.parse(readFileSync(join(cwd, 'out/mcpgen.config.json'), 'utf8'))).toEqual({
    source: '../petstore.yaml',
    name: 'pets',
  });
  expect(await check('out', { cwd })).toMatchObject({ ok: true, report: { written: [] } });

  edit('operationId: getInventory', 'operationId: stock');
  edit(
    'paths:\n',
    "paths:\n  /new: { get: { operationId: brandNew, responses: { '200': { description: Done } } } }\n",
  );
  const stale = await check('out', { cwd });
  expect(stale.ok).toBe(false);
  expect(stale.report?.written).toContain('src/generated/catalog.json');
  expect(stale.diagnostics).toMatchObject([
    { name: 'names-kept', severity: 'info' },
    { name: 'project-stale', severity: 'error' },
  ]);

  const again = await regenerate('out', { cwd });
  expect(again).toMatchObject({ ok: true, source: 'petstore.yaml' });
  expect(await check('out', { cwd })).toMatchObject({ ok: true });
});

test('servers without a host, and samples that nothing fits, end no compilation', async () => {
  const get = (operationId: string, rest: object): object => ({
    get: { operationId, responses: { 200: { description: 'Fine.' } }, ...rest },
  });
  const impossible = { type: 'string', pattern: '^(?!a)a$' };
  const document = {
    openapi: '3.0.3',
    info: { title: 'Ocean', version: '1' },
    servers: [{ url: 'https://' }],
    paths: {
      '/droplets': get('list', {}),
      '/agents': get('agents', { servers: [{ url: 'https://' }] }),
      '/odd': get('odd', { parameters: [{ name: 'a', in: 'query', required: true, schema: impossible }] }),
    },
  };
  writeFileSync(join(cwd, 'ocean.json'), JSON.stringify(document));
  const { ok, diagnostics } = await generate({ source: 'ocean.json', cwd, dir: 'ocean' });
  expect(ok).toBe(true);
  expect(diagnostics.map(({ name }) => name).toSorted()).toEqual([
    // The call whose server has no host.
    'golden-call-left-out',
    'invalid-server',
    'invalid-server',
    'no-absolute-server',
    'no-valid-arguments',
  ]);
  const wire = JSON.parse(readFileSync(join(cwd, 'ocean/test/wire.json'), 'utf8')) as {
    calls: { tool: string }[];
  };
  expect(wire.calls.map(({ tool }) => tool)).toEqual(['list']);
});
