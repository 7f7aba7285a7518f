// Pages that walk a reader through commands: each is run, in order, in a folder with the files of the page, or stands below with its
// reason.
import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../cli/support/temporary-folder.ts';
import { node, root } from '../e2e/support/command.ts';
import { blocksOf, fileOf } from './blocks.ts';

/** Commands that are not run. */
const NOT_RUN: Record<string, string> = {
  'claude mcp add todo -- node "$PWD/todo-mcp/dist/main.js" --mock':
    'needs Claude Code, and changes its settings',
};

interface Walk {
  page: string;
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
function layOut(page: string): string {
  const folder = temporaryFolder();
  const bin = join(folder, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  symlinkSync(join(root, 'dist/bin/mcpgen.js'), join(bin, 'mcpgen'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  for (const block of blocksOf(page)) {
    const file = fileOf(block);
    if (file === undefined) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), block.text);
  }
  return folder;
}

async function succeed(command: string, cwd: string): Promise<void> {
  const path = [join(cwd, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter);
  const { code, stdout, stderr } = await node(['-c', command], {
    cwd,
    program: 'sh',
    env: { PATH: path, npm_config_offline: 'true' },
  });
  expect({ command, code }, `${stdout}\n${stderr}`).toEqual({ command, code: 0 });
}

function commandsOf(page: string): string[] {
  return blocksOf(page)
    .filter((block) => block.info === 'sh')
    .flatMap(({ text }) => text.trimEnd().split('\n'));
}

test.each(WALKS)('$page: each command ends well', { timeout: 240_000 }, async ({ page, before, leaves }) => {
  const folder = layOut(page);
  await before(folder);
  const commands = commandsOf(page).filter((command) => !Object.hasOwn(NOT_RUN, command));
  expect(commands.length).toBeGreaterThan(1);
  for (const command of commands) await succeed(command, folder);
  for (const file of leaves) expect(existsSync(join(folder, file)), file).toBe(true);
});

test('what is not run stands on a page', () => {
  const all = WALKS.flatMap(({ page }) => commandsOf(page));
  expect(Object.keys(NOT_RUN).filter((command) => !all.includes(command))).toEqual([]);
});

test('the hook and the workflows name commands of the page', () => {
  const files = blocksOf('docs/ci.md').filter((block) => fileOf(block) !== undefined);
  expect(files).toHaveLength(3);
  for (const { text } of files) expect(text).toContain('npx --no mcpgen check server');
});
