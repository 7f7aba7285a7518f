// Pages that walk a reader through commands: each is run, in order, in a folder with the files of the page, or stands below with its
// reason. A `diff` block is a change that the reader makes, and a `text printed` block what the command before it prints.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../cli/support/temporary-folder.ts';
import { mcpgen, node, root } from '../e2e/support/command.ts';
import { type Block, blocksOf, fileOf } from './blocks.ts';

/** Commands of walks that are not run. */
const NOT_RUN: Record<string, string> = {
  'claude mcp add todo -- node "$PWD/todo-mcp/dist/main.js" --mock':
    'needs Claude Code, and changes its settings',
};

/** Blocks that belong to no walk, by their first lines. */
const NO_WALK: Record<string, string> = {
  'npm ci && npm run demo': 'fetches packages; .ci/run runs the demo',
  'npm ci && npm test': 'runs this test',
  'npm ci && npm run build': 'fetches packages; scripts/package-check.mjs does it with the tarball',
  'mcpgen openapi petstore.yaml --auth oauth -o petstore-mcp':
    'fetches a package; test/e2e/oauth.test.ts starts such a server',
  'MCP_AUTH_ISSUER=https://id.example.com MCP_AUTH_AUDIENCE=https://mcp.example.com/mcp \\':
    'serves until it is stopped; test/e2e/on-behalf.test.ts starts such a server',
};

interface Walk {
  page: string;
  /** Those of its files that are laid out. Default: all. */
  files?: string[];
  /** What the reader has before the first command. */
  before: (folder: string) => Promise<void>;
  /** Afterwards. */
  leaves: string[];
}

const WALKS: Walk[] = [
  {
    page: 'docs/getting-started.md',
    before: () => Promise.resolve(),
    leaves: ['todo-mcp/mcpgen.lock', 'todo.overlay.yaml'],
  },
  {
    page: 'docs/typescript.md',
    files: ['src/forecast.ts'],
    before: () => Promise.resolve(),
    leaves: ['my-server/mcpgen.lock'],
  },
  { page: 'docs/ci.md', before: committedProject, leaves: ['server/mcpgen.lock'] },
];

async function committedProject(folder: string): Promise<void> {
  cpSync(join(root, 'fixtures/petstore.yaml'), join(folder, 'api.yaml'));
  await succeed('mcpgen openapi api.yaml -o server', folder);
  await succeed(
    'git init -q && git add api.yaml server && git -c user.name=A -c user.email=a@example.com commit -qm one',
    folder,
  );
}

/** A folder with the page's files, where `mcpgen` is what is tested, also for npx. */
function layOut({ page, files }: Walk): string {
  const folder = temporaryFolder();
  const bin = join(folder, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  symlinkSync(join(root, 'dist/bin/mcpgen.js'), join(bin, 'mcpgen'));
  symlinkSync(root, join(folder, 'node_modules/mcpgen'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  for (const block of blocksOf(page)) {
    const file = fileOf(block);
    if (file === undefined || files?.includes(file) === false) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), block.text);
  }
  return folder;
}

/** Its result on stdout. */
async function succeed(command: string, cwd: string): Promise<string> {
  const path = [join(cwd, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter);
  const { code, stdout, stderr } = await node(['-c', command], {
    cwd,
    program: 'sh',
    env: { PATH: path, npm_config_offline: 'true' },
  });
  expect({ command, code }, `${stdout}\n${stderr}`).toEqual({ command, code: 0 });
  return stdout;
}

function commandsOf(page: string): string[] {
  return blocksOf(page)
    .filter((block) => block.info === 'sh')
    .flatMap(({ text }) => text.trimEnd().split('\n'));
}

function stepsOf({ info, text }: Block): string[] {
  if (info === 'diff') return [`git apply - <<'END'\n${text}END`];
  if (info !== 'sh') return [];
  return text
    .trimEnd()
    .split('\n')
    .filter((command) => !Object.hasOwn(NOT_RUN, command));
}

test.each(WALKS)('$page: each command ends well', { timeout: 240_000 }, async (walk) => {
  const { page, before, leaves } = walk;
  const folder = layOut(walk);
  await before(folder);
  expect(commandsOf(page).length).toBeGreaterThan(1);
  let printed = '';
  for (const block of blocksOf(page)) {
    if (block.info === 'text printed') expect(printed).toBe(block.text);
    else for (const command of stepsOf(block)) printed = await succeed(command, folder);
  }
  for (const file of leaves) expect(existsSync(join(folder, file)), file).toBe(true);
});

test('the hook of docs/ci.md lets no stale project into a commit', { timeout: 60_000 }, async () => {
  const walk = { page: 'docs/ci.md', before: committedProject, leaves: [] };
  const folder = layOut(walk);
  await committedProject(folder);
  await succeed(commandsOf(walk.page).find((command) => command.startsWith('chmod ')) ?? 'false', folder);
  const commit = 'git -c user.name=A -c user.email=a@example.com commit -qam two';
  await succeed(
    `sed 's/listPets/findPets/' api.yaml > new.yaml && mv new.yaml api.yaml && ! ${commit}`,
    folder,
  );
  await succeed(`npx --no mcpgen generate server && ${commit}`, folder);
});

test('what is not run stands on a page', () => {
  const all = WALKS.flatMap(({ page }) => commandsOf(page));
  expect(Object.keys(NOT_RUN).filter((command) => !all.includes(command))).toEqual([]);
});

test('every block of commands, on any page, is run or says why it is not', () => {
  const walked = [...WALKS.map(({ page }) => page), 'docs/publishing.md'];
  const others = readdirSync(join(root, 'docs'))
    .filter((file) => file.endsWith('.md') && !walked.includes(`docs/${file}`))
    .map((file) => `docs/${file}`);
  const blocks = ['README.md', ...others].flatMap((page) =>
    blocksOf(page).filter(({ info }) => info === 'sh'),
  );
  const first = blocks.map(({ text }) => text.split('\n')[0] ?? '');
  expect(first.filter((line) => !line.startsWith('curl ')).sort()).toEqual(Object.keys(NO_WALK).sort());
});

test('the request that the reference sends by hand is answered', { timeout: 60_000 }, async () => {
  const folder = temporaryFolder();
  cpSync(join(root, 'fixtures/petstore.yaml'), join(folder, 'petstore.yaml'));
  await mcpgen(['openapi', 'petstore.yaml', '-o', 'server'], { cwd: folder });
  const [request] = blocksOf('docs/reference.md').filter(({ text }) => text.startsWith('curl '));
  const url = await serveMock(join(folder, 'server'));
  const command = (request?.text ?? '').replace('http://127.0.0.1:3000/mcp', url);
  const { stdout, stderr } = await node(['-c', command], { cwd: folder, program: 'sh' });
  expect(stdout, stderr).toContain('"structuredContent"');
});

/** Starts a server on a free port; its URL. */
async function serveMock(project: string): Promise<string> {
  const args = ['dist/main.js', '--transport', 'http', '--port', '0', '--mock'];
  const child = spawn(process.execPath, args, { cwd: project, stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => void child.kill());
  let said = '';
  for await (const chunk of child.stderr) {
    said += String(chunk);
    const [url] = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(said) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error(said);
}

test('the hook and the workflows name commands of the page', () => {
  const files = blocksOf('docs/ci.md').filter((block) => fileOf(block) !== undefined);
  expect(files).toHaveLength(3);
  for (const { text } of files) expect(text).toContain('npx --no mcpgen check server');
});
