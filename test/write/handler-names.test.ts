/** Names of tools in handlers, and writes below the folder of a module: what is reported, and where. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DiagnosticCollector } from '../../src/diagnostics/collector.ts';
import { writeProject } from '../../src/write/index.ts';
import { project, put, temporaryFolder, write } from './project-on-disk.ts';

const files = project('one');
const tools = ['ship_orders', 'get_order'];

/** What `generate` reports of handlers, after it has been compared with what `check` reports. */
async function report(handlers: string, others: Record<string, string> = {}): Promise<string[]> {
  const dir = join(temporaryFolder(), 'shop');
  await write(files, dir);
  put(dir, { 'src/handlers/index.ts': handlers, ...others });
  const [checked, generated] = await Promise.all(
    [true, false].map(async (check) => {
      const diagnostics = new DiagnosticCollector();
      await writeProject(files, { dir, label: 'shop', tools, check, dryRun: !check }, diagnostics);
      return diagnostics.found.map(({ name, severity, origin, hint = '' }) => {
        const place =
          origin?.kind === 'code' ? `${origin.file}:${String(origin.line)}:${String(origin.column)}` : '';
        return [severity, name, place, /Did you mean `(\w+)`/.exec(hint)?.[1] ?? ''].join(' ').trim();
      });
    }),
  );
  expect(checked).toEqual(generated);
  return generated ?? [];
}

const warning = (place: string, meant = ''): string =>
  `warning handler-names-no-tool shop/src/handlers/${place} ${meant}`.trim();
const hook = (body: string): string => `export const handlers = { beforeRequest: (request) => ${body} };`;

test.each<[string, string[]]>([
  [hook("request.tool === 'ship_order'"), [warning('index.ts:1:72', 'ship_orders')]],
  [hook("'gone' !== request?.tool"), [warning('index.ts:1:55')]],
  [hook("['get_order', 'gone'].includes(request.tool)"), [warning('index.ts:1:69')]],
  [hook("{ switch (request.tool) { case 'gone': case 'get_order': } }"), [warning('index.ts:1:86')]],
  ["export const handlers = { beforeRequest: ({ tool: t }) => t == 'gone' };", [warning('index.ts:1:64')]],
  [
    "export const handlers = { extraTools: [{ name: 'own', handler: (_, c) => c.call('gone') }] };",
    [warning('index.ts:1:81')],
  ],
  [
    "export const handlers = { tools: { get_order: (_, { call }) => call('ship_order') } };",
    [warning('index.ts:1:69', 'ship_orders')],
  ],
  [
    'export const handlers = { tools: { ship_order: () => 1 } };',
    ['error handler-without-tool shop/src/handlers/index.ts:1:36 ship_orders'],
  ],
  [hook("request.tool === 'get_order'"), []],
  [hook("request.method === 'gone' || names.has(request.tool)"), []],
  ["export const handlers = { extraTools: [{ name: 'own', handler: (_, c) => c.call('own') }] };", []],
  [hook("['gone', 'get_order'].includes(request.tool ?? '')"), [warning('index.ts:1:56')]],
  [hook("new Set(['get_order', 'gone']).has((request.tool)!)"), [warning('index.ts:1:77')]],
  [`const SLOW = ['gone'] as const;\n${hook('SLOW.includes(request.tool)')}`, [warning('index.ts:1:15')]],
  [
    `const SLOW = ['gone'];\nconst ALL = new Set([...SLOW, 'get_order']);\n${hook('ALL.has(request.tool)')}`,
    [warning('index.ts:1:15')],
  ],
  [hook("new Map([['gone', 1], ['get_order', 2]]).get(request.tool)"), [warning('index.ts:1:65')]],
  [hook("request.tool?.startsWith('ship_orderX')"), [warning('index.ts:1:80', 'ship_orders')]],
  [hook("request.tool?.startsWith('ship_')"), []],
  [
    `const LIMITS = { gone: 1, 'get_order': 2, default: 3 };\n${hook("LIMITS[request.tool ?? ''] ?? LIMITS.default")}`,
    [warning('index.ts:1:18')],
  ],
  [`const DO = { gone() {}, get_order() {} };\n${hook('DO[request.tool]()')}`, [warning('index.ts:1:14')]],
  [`const SELF = [...SELF, 'gone'];\n${hook('SELF.includes(request.tool)')}`, [warning('index.ts:1:24')]],
  [`const LIMITS = { gone: 1 };\n${hook('request.tool in LIMITS')}`, [warning('index.ts:1:18')]],
  [`const LIMITS = { gone: 1 };\n${hook('Object.hasOwn(LIMITS, request.tool)')}`, [warning('index.ts:1:18')]],
  [`let slow = ['gone'];\n${hook('slow.includes(request.tool)')}`, []],
  [
    `const LIMITS = { gone: 1 };\n${hook("LIMITS[request.method ?? ''] || ['gone'].includes(request.path)")}`,
    [],
  ],
  ["const tool = 'hammer';\nexport const handlers = { on: tool === 'saw', to: fn.call(this, 'x') };", []],
])('%s', async (handlers, want) => {
  expect(await report(handlers)).toEqual(want);
});

test('modules beside the entry are read too', async () => {
  const other = "export const isSlow = (request) => request.tool === 'gone';\n";
  expect(await report('export const handlers = {};\n', { 'src/handlers/slow.ts': other })).toEqual([
    warning('slow.ts:1:53'),
  ]);
});

const memoryServer = `
const path = join(dirname(fileURLToPath(import.meta.url)), 'memory.jsonl');
async function ensurePath() {
  if (process.env.MEMORY_FILE_PATH) return process.env.MEMORY_FILE_PATH;
  return path;
}
class Memory {
  constructor(private file: string) {}
  async save(text: string) {
    await fs.writeFile(this.file, text);
  }
}
let file: string;
async function main() {
  file = await ensurePath();
  new Memory(file);
}`;

test.each<{ what: string; code: string; want: string[] }>([
  { what: 'a call', code: "appendFileSync(join(import.meta.dirname, 'a'), 'x');", want: ['1:1'] },
  { what: 'a constant', code: "const a = join(__dirname, 'a');\nawait writeFile(a, 'x');", want: ['2:7'] },
  { what: 'a URL', code: "createWriteStream(new URL('a.log', import.meta.url));", want: ['1:1'] },
  { what: 'a target of a copy', code: "cpSync('a', `${import.meta.dirname}/a`);", want: ['1:1'] },
  { what: 'a database', code: "new DatabaseSync(join(import.meta.dirname, 'a.db'));", want: ['1:1'] },
  {
    what: 'a parameter',
    code: "function save(to) { writeFileSync(to, ''); }\nsave(import.meta.dirname + '/a');",
    want: ['1:21'],
  },
  { what: 'a member of a class', code: memoryServer, want: ['10:11'] },
  { what: 'reading', code: "readFileSync(join(import.meta.dirname, 'a'), 'utf8');", want: [] },
  {
    what: 'reading beside it, writing elsewhere',
    code: "const page = readFileSync(join(import.meta.dirname, 'a'), 'utf8');\nwriteFileSync(process.env.OUT, page);",
    want: [],
  },
  { what: 'the source of a copy', code: "cpSync(join(import.meta.dirname, 'a'), out);", want: [] },
  {
    what: 'a parameter of another function of the name',
    code: "function load(p) { readFileSync(p); }\nfunction save(p) { writeFileSync(p, ''); }\nload(import.meta.dirname);",
    want: [],
  },
])('writing below the own folder: $what', async ({ code, want }) => {
  const found = await report('export const handlers = {};\n', { 'src/handlers/files.ts': code });
  expect(found).toEqual(want.map((at) => `warning writes-own-folder shop/src/handlers/files.ts:${at}`));
});
