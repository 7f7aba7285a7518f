// Pages that walk a reader through commands: each is run, in order, in a folder with the files of the page, or stands below with its
// reason. A `diff` block is a change that the reader makes, and a `text printed` block what the command before it prints.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../cli/support/temporary-folder.ts';
import { mcpgenHere, node, root } from '../e2e/support/command.ts';
import { type Block, blocksOf, pageNames } from './blocks.ts';
import { commandsOf, committedProject, type Laid, layOut, run, succeed } from './walk-folder.ts';

/** Commands of walks that are not run. */
const NOT_RUN: Record<string, string> = {
  'npm ci && npm pack && npm install -g ./mcpgen-*.tgz':
    'fetches packages; scripts/package-check.mjs does it with the tarball',
  'claude mcp add todo -- mcpgen serve "$PWD/todo.yaml" --mock':
    'needs Claude Code, and changes its settings',
  'mcpgen doctor petstore-mcp': 'asks the API, and reads the configurations of your clients; test/doctor',
  'node petstore-mcp/dist/main.js --transport http --host 0.0.0.0 --mock':
    'serves until it is stopped; scripts/e2e-deploy.mjs starts such servers behind proxies',
  'kubectl create secret generic petstore-mcp --from-file=MCP_STATE_SECRET=state-secret --from-literal=API_KEY_SHOPKEY=secret --dry-run=client -o yaml > secret.yaml':
    'needs kubectl; scripts/e2e-deploy.mjs runs it',
  'kubectl kustomize --load-restrictor LoadRestrictionsNone production > all.yaml': 'as above',
  'kubectl apply -f secret.yaml -f all.yaml':
    'needs a cluster; scripts/e2e-deploy.mjs compares the objects with the types of Kubernetes',
  'kubectl rollout status deployment/petstore-mcp': 'needs a cluster',
  'claude mcp add notes -- mcpgen serve "$PWD/src/notes.ts" --watch': 'as above',
};

/** Blocks that belong to no walk, by their first lines. */
const NO_WALK: Record<string, string> = {
  'npm ci && npm run demo': 'fetches packages; .ci/run runs the demo',
  'mcpgen openapi petstore.yaml --auth oauth -o petstore-mcp':
    'fetches a package; test/e2e/oauth.test.ts starts such a server',
  'MCP_AUTH_ISSUER=https://id.example.com MCP_AUTH_AUDIENCE=https://mcp.example.com/mcp \\':
    'serves until it is stopped; test/e2e/on-behalf.test.ts starts such a server',
  'npx mcpgen openapi todo.yaml --feature mock': 'a test below runs it',
  'mcpgen preview petstore.yaml': 'It serves a page until Ctrl-C; test/cli/preview.test.ts runs it.',
  'mcpgen generate --feature fetch':
    'A configuration of the reader goes with it; test/runtime/fetch compiles such servers.',
  'mcpgen openapi notes.yaml --feature login':
    'needs an authorization server; test/docs/login.test.ts runs it with one of its own',
  'node notes-mcp/dist/main.js login': 'as above',
  'mcpgen openapi github.json --surface search':
    "needs GitHub's document; test/derive/search-surface.test.ts compiles such a server",
  'example-mcp --transport http --surface search,tools    # …/mcp lists five tools, …/mcp?surface=tools lists all':
    'serves until it is stopped; test/wire/surface.test.ts starts such a server',
};

interface Walk extends Laid {
  /** Prepares the folder for the first command. */
  before: (folder: string) => Promise<void>;
  /** Afterwards. */
  leaves: string[];
}

const WALKS: Walk[] = [
  {
    page: 'docs/getting-started.md',
    before: () => Promise.resolve(),
    leaves: ['todo-mcp/mcpgen.lock', '.mcp.json'],
  },
  {
    page: 'docs/typescript.md',
    files: ['src/notes.ts', 'src/draft.ts'],
    before: () => Promise.resolve(),
    leaves: ['my-server/mcpgen.lock'],
  },
  {
    page: 'docs/installing.md',
    before: async (folder) => {
      cpSync(join(root, 'fixtures/petstore.yaml'), join(folder, 'petstore.yaml'));
      await mcpgenHere(['openapi', 'petstore.yaml'], { cwd: folder });
    },
    leaves: ['petstore-mcp/mcpgen.lock'],
  },
  { page: 'docs/ci.md', before: committedProject, leaves: ['server/mcpgen.lock'] },
  {
    page: 'docs/lint.md',
    before: async (folder) => {
      cpSync(join(root, 'fixtures/petstore.yaml'), join(folder, 'petstore.yaml'));
      await mcpgenHere(['openapi', 'petstore.yaml'], { cwd: folder });
    },
    leaves: ['mcpgen.overlay.yaml'],
  },
  {
    page: 'docs/deploying.md',
    before: (folder) => {
      cpSync(join(root, 'fixtures/petstore.yaml'), join(folder, 'petstore.yaml'));
      return Promise.resolve();
    },
    leaves: ['petstore-mcp/deploy/kubernetes.yaml', 'petstore-mcp/compose.yaml', 'state-secret'],
  },
];

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

test('the README leads to a first call in the configuration of a client', { timeout: 60_000 }, async () => {
  const folder = layOut({ page: 'docs/getting-started.md', files: ['todo.yaml'] });
  const block = blocksOf('README.md').find(({ text }) => text.includes('mcpgen doctor'));
  const commands = (block?.text ?? 'exit 9').trimEnd().split('\n').join(' && ');
  const env = { HOME: folder, USERPROFILE: folder };
  const { code, stdout, stderr } = await run(commands, folder, env);
  expect(code, `${stdout}\n${stderr}`).toBe(0);
  expect(stdout).not.toContain('✗');
  const config = JSON.parse(readFileSync(join(folder, '.claude.json'), 'utf8')) as {
    mcpServers: { 'todo-mcp': { command: string; args: string[] } };
  };
  const { command, args } = config.mcpServers['todo-mcp'];
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill());
  const said = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (id: number, method: string, params: object): Promise<string> => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return String((await said.next()).value);
  };
  const clientInfo = { name: 'reader', version: '1' };
  await ask(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  expect(await ask(2, 'tools/call', { name: 'listTasks', arguments: {} })).toContain('"structuredContent"');
});

test('what is not run stands on a page', () => {
  const all = WALKS.flatMap(({ page }) => commandsOf(page));
  expect(Object.keys(NOT_RUN).filter((command) => !all.includes(command))).toEqual([]);
});

test('every block of commands, on any page, is run or says why it is not', () => {
  const walked = [...WALKS.map(({ page }) => page), 'docs/publishing.md', 'docs/recipes.md'];
  const others = pageNames().filter((page) => !walked.includes(page));
  const blocks = others.flatMap((page) => blocksOf(page).filter(({ info }) => info === 'sh'));
  const first = blocks.map(({ text }) => text.split('\n')[0] ?? '');
  expect(first.filter((line) => !line.startsWith('curl ')).sort()).toEqual(Object.keys(NO_WALK).sort());
});

test('the request that the reference sends by hand is answered', { timeout: 60_000 }, async () => {
  const folder = temporaryFolder();
  cpSync(join(root, 'fixtures/petstore.yaml'), join(folder, 'petstore.yaml'));
  await mcpgenHere(['openapi', 'petstore.yaml', '-o', 'server', '--feature', 'mock'], { cwd: folder });
  const [request] = blocksOf('docs/reference/server.md').filter(({ text }) => text.startsWith('curl '));
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
