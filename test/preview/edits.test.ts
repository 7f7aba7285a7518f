// Edits of the page: shown as a diff, written only to the configuration and only if it is unchanged, reproduced by a
// compilation without the page, and taken back byte by byte.
import { cpSync, existsSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Edit, SurfaceView } from '../../src/preview/protocol.ts';
import { runInProcess } from '../cli/support/fake-host.ts';
import { temporaryFolder } from '../cli/support/temporary-folder.ts';
import { type Page, openPage } from './support/page.ts';

const CONFIG = 'mcpgen.config.json';
const config = '{\n  // Ours.\n  "source": "petstore.yaml"\n}\n';

function folderWith(files: Record<string, string>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const petstore = readFileSync('fixtures/petstore.yaml', 'utf8');

interface Listed {
  name: string;
  title?: string;
  description?: string;
  annotations?: object;
  inputSchema: { properties?: Record<string, { description?: string }> };
}

interface Model {
  surface?: string;
  tools: (Listed & { pin?: boolean })[];
}

/** What the command line makes of the folder. */
async function compiled(source: string, cwd: string): Promise<Model> {
  const { stdout, stderr, exitCode } = await runInProcess(['inspect', source, '--json'], { cwd });
  expect(stderr, stderr).not.toMatch(/error/);
  expect(exitCode).toBe(0);
  return JSON.parse(stdout) as Model;
}

/** The names and texts of the page are those of the command line. */
function expectSame(page: SurfaceView, model: Model): void {
  expect(page.tools.map(({ name, title, pin }) => ({ name, title, pin }))).toEqual(
    model.tools.map(({ name, title, pin = false }) => ({ name, title, pin })),
  );
  expect(page.settings.surface).toBe(model.surface ?? 'tools');
}

async function applied(page: Page, edits: Edit[]): Promise<string> {
  const { id, problems } = await page.post('POST /api/propose', { edits });
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  return (await page.post('POST /api/apply', { proposal: id })).id;
}

function snapshot(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    files.map(({ parentPath, name }) => [
      join(parentPath, name),
      readFileSync(join(parentPath, name), 'utf8'),
    ]),
  );
}

const find = (model: Model, name: string): Listed & { pin?: boolean } => {
  const tool = model.tools.find((each) => each.name === name);
  if (tool === undefined) throw new Error(`no ${name}`);
  return tool;
};

describe('the configuration of a document', () => {
  const kinds: Record<string, { edit: Edit; check: (model: Model) => void }> = {
    hints: {
      edit: { kind: 'tool', name: 'listPets', set: { hints: { readOnly: false } } },
      check: (model) => expect(find(model, 'listPets').annotations).toMatchObject({ readOnlyHint: false }),
    },
    'a hidden argument': {
      edit: { kind: 'tool', name: 'createPet', set: { arguments: { tags: { hidden: true } } } },
      check: (model) =>
        expect(Object.keys(find(model, 'createPet').inputSchema.properties ?? {})).not.toContain('tags'),
    },
    'a hidden tool': {
      edit: { kind: 'tool', name: 'deletePet', set: { exclude: true } },
      check: (model) => expect(model.tools.map(({ name }) => name)).not.toContain('deletePet'),
    },
    'a selection': {
      edit: { kind: 'selection', include: ['tag:pets'], exclude: ['method:DELETE'] },
      check: (model) => {
        expect(model.tools.length).toBe(7);
        expect(model.tools.map(({ name }) => name)).not.toContain('deletePet');
      },
    },
    'a surface': {
      edit: { kind: 'surface', surface: 'search' },
      check: (model) => expect(model.surface).toBe('search'),
    },
  };

  test.each(Object.entries(kinds))('%s is written, reproduced and undone', async (_, { edit, check }) => {
    const cwd = folderWith({ 'petstore.yaml': petstore, [CONFIG]: config });
    const before = await compiled('.', cwd);
    const page = await openPage('.', { cwd });
    const files = snapshot(cwd);
    const proposal = await page.post('POST /api/propose', { edits: [edit] });
    expect(snapshot(cwd)).toEqual(files);
    expect(proposal.files.map(({ path }) => path)).toEqual([CONFIG]);
    const { id } = await page.post('POST /api/apply', { proposal: proposal.id });
    expect(readFileSync(join(cwd, CONFIG), 'utf8')).toContain('// Ours.');
    const after = await compiled('.', cwd);
    check(after);
    expectSame(await page.get('GET /api/surface'), after);
    await page.post('POST /api/undo', { applied: id });
    expect(snapshot(cwd)).toEqual(files);
    expectSame(await page.get('GET /api/surface'), before);
  });

  test('showing a hidden tool takes the edit back; what the source leaves out stays out', async () => {
    const hiding = petstore.replace(
      'operationId: deletePet',
      'operationId: deletePet\n      x-mcp: { enabled: false }',
    );
    const cwd = folderWith({ 'petstore.yaml': hiding, [CONFIG]: config });
    const page = await openPage('.', { cwd });
    const names = async (): Promise<string[]> => (await compiled('.', cwd)).tools.map(({ name }) => name);
    const shown: Edit = { kind: 'tool', name: 'DELETE /pets/{petId}', set: { exclude: false } };
    expect(await page.refused('POST /api/propose', { edits: [shown] })).toMatchObject({ status: 400 });
    await applied(page, [{ kind: 'tool', name: 'createPet', set: { exclude: true } }]);
    expect(await names()).not.toContain('createPet');
    await applied(page, [{ kind: 'tool', name: 'POST /pets', set: { exclude: false } }]);
    expect(await names()).toContain('createPet');
  });

  test('variables and words of other tools stay as they are written', async () => {
    const ours = '{ "source": "petstore.yaml", "tools": { "listPets": { "title": "${TITLE}" } } }';
    const cwd = folderWith({ 'petstore.yaml': petstore, [CONFIG]: ours });
    const page = await openPage('.', { cwd, env: { TITLE: 'Pets' } });
    await applied(page, [{ kind: 'tool', name: 'listPets', set: { description: 'Costs ${5}.', pin: true } }]);
    expect(JSON.parse(readFileSync(join(cwd, CONFIG), 'utf8'))).toMatchObject({
      tools: { listPets: { title: '${TITLE}', description: 'Costs $${5}.', pin: true } },
    });
  });
});

describe('what is refused', () => {
  test('what can be undone outlives the page', async () => {
    const cwd = folderWith({ 'petstore.yaml': petstore, [CONFIG]: config });
    const page = await openPage('.', { cwd });
    const list = async () => (await page.get('GET /api/surface')).applied;
    expect(await list()).toEqual([]);
    const first = await applied(page, [{ kind: 'surface', surface: 'search' }]);
    const second = await applied(page, [{ kind: 'tool', name: 'listPets', set: { pin: true } }]);
    expect(await list()).toEqual([
      { id: first, files: [CONFIG] },
      { id: second, files: [CONFIG] },
    ]);
    await page.post('POST /api/undo', { applied: second });
    expect(await list()).toEqual([{ id: first, files: [CONFIG] }]);
    // One that was taken back is not a change to undo.
    expect(await page.refused('POST /api/undo', { applied: second })).toMatchObject({ status: 404 });
  });

  test('a change after writing is not undone', async () => {
    const cwd = folderWith({ 'petstore.yaml': petstore, [CONFIG]: config });
    const page = await openPage('.', { cwd });
    const id = await applied(page, [{ kind: 'surface', surface: 'search' }]);
    const other = '{"source":"petstore.yaml","surface":"both"}';
    writeFileSync(join(cwd, CONFIG), other);
    expect(await page.refused('POST /api/undo', { applied: id })).toMatchObject({ status: 409 });
    expect(readFileSync(join(cwd, CONFIG), 'utf8')).toBe(other);
  });

  test('a proposal is applied once, and unknown ones never', async () => {
    const cwd = folderWith({ 'petstore.yaml': petstore, [CONFIG]: config });
    const page = await openPage('.', { cwd });
    const { id } = await page.post('POST /api/propose', { edits: [{ kind: 'surface', surface: 'search' }] });
    const both = await Promise.all([1, 2].map(() => page.refused('POST /api/apply', { proposal: id })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(await page.refused('POST /api/apply', { proposal: '../x' })).toMatchObject({ status: 404 });
    expect(await page.refused('POST /api/undo', { applied: 'x' })).toMatchObject({ status: 404 });
  });

  test('edits with which nothing compiles are shown with their errors, and not applied', async () => {
    const cwd = folderWith({
      'petstore.yaml': petstore,
      'mcpgen.config.json': '{"source":"petstore.yaml","strict":true}',
    });
    const page = await openPage('.', { cwd });
    const edits: Edit[] = [{ kind: 'selection', include: ['tag:none'] }];
    const { id, problems, after } = await page.post('POST /api/propose', { edits });
    expect(problems.some(({ severity }) => severity === 'error')).toBe(true);
    expect(after.tools).toBe(0);
    expect(await page.refused('POST /api/apply', { proposal: id })).toMatchObject({ status: 409 });
  });

  test('a link in the place of the configuration is not followed', async () => {
    const cwd = folderWith({ 'petstore.yaml': petstore });
    const elsewhere = join(temporaryFolder(), 'target');
    writeFileSync(elsewhere, config);
    symlinkSync(elsewhere, join(cwd, CONFIG));
    const page = await openPage('.', { cwd });
    const edits = [{ kind: 'tool', name: 'listPets', set: { pin: true } }];
    expect(await page.refused('POST /api/propose', { edits })).toMatchObject({ status: 409 });
    expect(readFileSync(elsewhere, 'utf8')).toBe(config);
  });
});

describe('functions', () => {
  const tools = `/** Adds two numbers.
 * @tool
 * @param a the first
 * @param b the second
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
  const inCode = "export default { typescript: { files: ['tools.ts'] }, surface: 'tools' as const };\n";
  const config = '{ "name": "sums", "output": "sums", "typescript": { "files": ["tools.ts"] } }\n';

  const edits: Edit[] = [
    {
      kind: 'tool',
      name: 'add',
      set: {
        name: 'sum',
        title: 'Sum',
        description: 'Gives the sum.',
        hints: { readOnly: true },
        arguments: { a: { description: 'One.' }, b: { hidden: true } },
        pin: true,
      },
    },
    { kind: 'tool', name: 'hello', set: { exclude: true } },
    { kind: 'surface', surface: 'both' },
  ];

  function check(model: Model): void {
    expect(model.tools.map(({ name }) => name)).toEqual(['sum']);
    expect(find(model, 'sum')).toMatchObject({
      ...{ title: 'Sum', description: 'Gives the sum.', pin: true },
      annotations: { readOnlyHint: true },
    });
    expect(find(model, 'sum').inputSchema.properties).toEqual({
      a: expect.objectContaining({ description: 'One.' }) as object,
    });
    expect(model.surface).toBe('both');
  }

  test('a configuration in code is not edited: the lines are shown', async () => {
    const cwd = folderWith({ 'tools.ts': tools, 'mcpgen.config.ts': inCode });
    const page = await openPage('.', { cwd });
    const { status, message } = await page.refused('POST /api/propose', { edits });
    expect(status).toBe(409);
    expect(message).toContain("mcpgen does not edit mcpgen.config.ts. Add to it: tools.add.name: 'sum'");
    expect(message).toContain("Change in it: surface: 'both'");
  });

  test('the project that generate writes has the words, keeps the names of the source in its lock, and loses them again', async () => {
    const cwd = folderWith({ 'tools.ts': tools, [CONFIG]: config });
    const page = await openPage('.', { cwd });
    const id = await applied(page, edits);
    expect(await runInProcess(['generate'], { cwd })).toMatchObject({ exitCode: 0 });
    const [project = ''] = readdirSync(cwd).filter((name) => existsSync(join(cwd, name, 'mcpgen.lock')));
    const catalog = (): string => readFileSync(join(cwd, project, 'src/generated/catalog.json'), 'utf8');
    expect(catalog()).toContain('Gives the sum.');
    expect(catalog()).not.toContain('Says hello.');
    check(await compiled('.', cwd));
    check(await compiled(project, cwd));
    await page.post('POST /api/undo', { applied: id });
    expect(await runInProcess(['generate'], { cwd })).toMatchObject({ exitCode: 0 });
    expect(catalog()).not.toContain('Gives the sum.');
    expect((await compiled('.', cwd)).tools.map(({ name }) => name)).toEqual(['add', 'hello']);
  });
});

describe('projects', () => {
  test('several servers of a configuration: each has its own part', async () => {
    const cwd = folderWith({
      'petstore.yaml': petstore,
      'mcpgen.config.json':
        '{"servers":{"pets":{"source":"petstore.yaml","include":["tag:pets"]},"orders":{"source":"petstore.yaml","include":["tag:orders"]}}}',
    });
    const page = await openPage('.', { cwd });
    expect((await page.get('GET /api/surface')).servers).toEqual(['pets', 'orders']);
    const edit: Edit = { kind: 'selection', exclude: ['method:DELETE', 'method:POST'] };
    const { id } = await page.post('POST /api/propose', { server: 'orders', edits: [edit] });
    await page.post('POST /api/apply', { proposal: id });
    expect(JSON.parse(readFileSync(join(cwd, CONFIG), 'utf8'))).toMatchObject({
      servers: { orders: { exclude: ['method:DELETE', 'method:POST'] } },
    });
    const names = async (server: string) =>
      (await page.get('GET /api/surface', { server })).tools.map(({ method }) => method);
    expect(await names('orders')).not.toContain('POST');
    expect(await names('pets')).toContain('POST');
  });

  test('several sources', async () => {
    const cwd = temporaryFolder();
    cpSync('fixtures/mixed/trip', cwd, { recursive: true });
    rmSync(join(cwd, 'mcpgen.config.ts'));
    const sources = [
      { openapi: 'rail.yaml', prefix: 'rail_' },
      { openapi: 'hotels.yaml', prefix: 'hotels_' },
      { typescript: 'src/**/*.ts' },
    ];
    writeFileSync(join(cwd, CONFIG), JSON.stringify({ name: 'trip-mcp', output: 'server', sources }));
    const page = await openPage('.', { cwd });
    const { tools, source } = await page.get('GET /api/surface');
    expect(source.kind).toBe('mixed');
    const operation = tools.find(({ method }) => method === 'GET')?.name ?? '';
    await applied(page, [{ kind: 'tool', name: operation, set: { description: 'Words of the page.' } }]);
    expect(find(await compiled('.', cwd), operation).description).toBe('Words of the page.');
    const { origins } = await page.get('GET /api/tool', { name: operation });
    expect(origins.find(({ pointer }) => pointer === '/description')).toEqual(
      expect.objectContaining({ from: 'configuration' }),
    );
  });

  test('selections of single documents are not replaced by one for all', async () => {
    const config = (exclude: string): string =>
      JSON.stringify({
        name: 'both',
        output: 'out',
        sources: [
          { openapi: 'petstore.yaml', prefix: 'a_', exclude: ['method:DELETE'] },
          { openapi: 'other.yaml', prefix: 'b_', exclude: [exclude] },
        ],
      });
    const cwd = folderWith({
      'petstore.yaml': petstore,
      'other.yaml': petstore,
      'mcpgen.config.json': config('tag:orders'),
    });
    const edits: Edit[] = [{ kind: 'selection', exclude: ['method:DELETE', 'tag:store'] }];
    const page = await openPage('.', { cwd });
    expect(await page.refused('POST /api/propose', { edits })).toMatchObject({ status: 400 });
    writeFileSync(join(cwd, 'mcpgen.config.json'), config('method:DELETE'));
    const same = await openPage('.', { cwd });
    expect((await same.post('POST /api/propose', { edits })).files).toHaveLength(1);
  });
});

test('names of a hostile document are members, and nothing else', async () => {
  const cwd = folderWith({
    'api.json': JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Hostile', version: '1' },
      paths: {
        '/a': {
          get: {
            operationId: '__proto__',
            summary: '<script>alert(1)</script>',
            parameters: [{ name: '__proto__', in: 'query', schema: { type: 'string' } }],
            responses: { 200: { description: 'x' } },
          },
        },
      },
    }),
  });
  writeFileSync(join(cwd, CONFIG), '{"source":"api.json"}');
  const page = await openPage('.', { cwd });
  const { tools } = await page.get('GET /api/surface');
  const [{ name = '' } = {}] = tools;
  const set = { title: '<img src=x onerror=alert(1)>', arguments: { ['__proto__']: { description: 'own' } } };
  const body = JSON.parse(JSON.stringify({ edits: [{ kind: 'tool', name, set }] })) as { edits: Edit[] };
  const { files } = await page.post('POST /api/propose', body);
  expect(files.map(({ path }) => path)).toEqual([CONFIG]);
  expect(Reflect.get({}, 'description')).toBeUndefined();
  const view = await page.get('GET /api/tool', { name });
  expect(view.source.lines.join('\n')).toContain('<script>');
});
