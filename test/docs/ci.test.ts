// docs/ci.md: the hook, and what its gates say of changes, in the shell and as the workflows run them.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { isRecord } from '../../templates/runtime/json-rpc.ts';
import { blocksOf, fileOf } from './blocks.ts';
import { commandsOf, committedProject, layOut, run, succeed } from './walk-folder.ts';

const PAGE = 'docs/ci.md';
const slow = { timeout: 120_000 };
const GIT = 'git -c user.name=A -c user.email=a@example.com';

function edit(folder: string, part: string, now: string): void {
  const file = join(folder, 'api.yaml');
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(part);
  writeFileSync(file, text.replace(part, now));
}

test('the hook of docs/ci.md lets no stale project into a commit', slow, async () => {
  const folder = layOut({ page: PAGE });
  await committedProject(folder);
  await succeed(commandsOf(PAGE).find((command) => command.startsWith('chmod ')) ?? 'false', folder);
  edit(folder, 'listPets', 'findPets');
  const commit = `${GIT} commit -qam two`;
  await succeed(`! ${commit}`, folder);
  await succeed(`npx --no mcpgen generate server && ${commit}`, folder);
});

interface Change {
  what: string;
  change: (folder: string) => void;
  command?: string;
  want: { code: number; words: RegExp };
}

const CHANGES: Change[] = [
  {
    what: 'a tool that an overlay hides',
    change: (folder) => {
      const action = { target: "$.paths['/orders/{orderId}'].get", update: { 'x-mcp': false } };
      const overlay = { overlay: '1.0.0', info: { title: 'Less', version: '1' }, actions: [action] };
      writeFileSync(join(folder, 'hide.overlay.yaml'), JSON.stringify(overlay));
    },
    command: 'mcpgen openapi api.yaml -o server --overlay hide.overlay.yaml',
    want: { code: 1, words: /getOrder.*removed/ },
  },
  {
    what: 'an operationId that is another, where the lock keeps the name',
    change: (folder) => edit(folder, 'listPets', 'findPets'),
    want: { code: 0, words: /^Clients see the same/ },
  },
];

test.each(CHANGES)('the gates tell of $what', slow, async ({ change, command, want }) => {
  const folder = layOut({ page: PAGE });
  await committedProject(folder);
  change(folder);
  await succeed(command ?? 'mcpgen generate server', folder);
  await succeed('npx --no mcpgen check server', folder);

  const { code, stdout } = await run('sh what-changes.sh HEAD', folder);
  expect({ code, stdout }).toEqual({ code: want.code, stdout: expect.stringMatching(want.words) as string });
  expect(await succeed('git worktree list | wc -l', folder)).toMatch(/^\s*1\n$/);

  await succeed(
    `git checkout -q -b change && git add server *.yaml && ${GIT} commit -qm two && git checkout -q main && ${GIT} merge -q --no-ff change`,
    folder,
  );
  expect(await onGitHub(folder)).toEqual({ code: want.code, comment: stdout });
  const base = (await succeed('git rev-parse HEAD^1', folder)).trim();
  expect(await onGitLab(folder, base)).toEqual({ code: want.code, artifact: stdout });
});

test('a project that is new breaks nobody', slow, async () => {
  const folder = layOut({ page: PAGE });
  await committedProject(folder);
  await succeed(`git rm -rq --cached server && ${GIT} commit -qm 'none yet'`, folder);
  expect(await succeed('sh what-changes.sh HEAD', folder)).toBe('There was no server before.\n');
});

/** The last step, with a `gh` that keeps the comment, and says no where it is not asked for the one there is. */
async function onGitHub(folder: string): Promise<{ code: number | null; comment: string }> {
  const gh =
    '#!/bin/sh\n[ "$1 $2 $3 $4 $5 $6" = "pr comment 7 --edit-last --create-if-none --body-file" ] && cp "$7" comment.md\n';
  writeFileSync(join(folder, 'node_modules/.bin/gh'), gh, { mode: 0o755 });
  const step = listAt('.github/workflows/mcp.yml', 'jobs', 'check', 'steps').at(-1);
  const script = isRecord(step) ? String(step['run']) : '';
  writeFileSync(join(folder, 'step.sh'), script);
  const { code } = await run('bash -e step.sh', folder, { NUMBER: '7' });
  return { code, comment: readFileSync(join(folder, 'comment.md'), 'utf8') };
}

/** The last line of the script, with what GitLab sets. */
async function onGitLab(folder: string, base: string): Promise<{ code: number | null; artifact: string }> {
  const script = listAt('.gitlab-ci.yml', 'mcp', 'script').at(-1);
  const { code } = await run(String(script), folder, { CI_MERGE_REQUEST_DIFF_BASE_SHA: base });
  return { code, artifact: readFileSync(join(folder, 'changes.md'), 'utf8') };
}

function listAt(file: string, ...path: string[]): unknown[] {
  const block = blocksOf(PAGE).find((each) => fileOf(each) === file);
  let value: unknown = load(block?.text ?? '');
  for (const member of path) value = isRecord(value) ? value[member] : undefined;
  expect(value).toBeInstanceOf(Array);
  return Array.isArray(value) ? value : [];
}

test('the hook and the workflows name commands of the page', () => {
  const files = blocksOf(PAGE).filter((block) => fileOf(block) !== undefined);
  expect(files).toHaveLength(4);
  for (const block of files.filter((each) => fileOf(each) !== 'what-changes.sh'))
    expect(block.text).toContain('npx --no mcpgen check server');
});
