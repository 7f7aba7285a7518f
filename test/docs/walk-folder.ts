/** Folders in which the commands of a page are run, and how. */
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect } from 'vitest';
import { temporaryFolder } from '../cli/support/temporary-folder.ts';
import { type Ended, mcpgenHere, node, root } from '../e2e/support/command.ts';
import { blocksOf, fileOf } from './blocks.ts';

export interface Laid {
  page: string;
  /** Those of its files that are laid out. Default: all. */
  files?: string[];
}

/** `api.yaml`, the petstore, and the project in `server/`, in the first commit of `main`. */
export async function committedProject(folder: string): Promise<void> {
  cpSync(join(root, 'fixtures/petstore.yaml'), join(folder, 'api.yaml'));
  await succeed('mcpgen openapi api.yaml -o server', folder);
  await succeed(
    'git init -q -b main && git add api.yaml server && git -c user.name=A -c user.email=a@example.com commit -qm one',
    folder,
  );
}

/** `npx --no` finds the command of the folder, without the third of a second that npm takes to start. */
const NPX = '#!/bin/sh\n[ "$1" = --no ] && shift\ncommand=$1\nshift\nexec "$(dirname "$0")/$command" "$@"\n';

/** A folder with the page's files, where `mcpgen` is what is tested, also for npx. */
export function layOut({ page, files }: Laid): string {
  const folder = temporaryFolder();
  const bin = join(folder, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  symlinkSync(join(root, 'dist/bin/mcpgen.js'), join(bin, 'mcpgen'));
  symlinkSync(root, join(folder, 'node_modules/mcpgen'));
  writeFileSync(join(bin, 'npx'), NPX, { mode: 0o755 });
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  for (const block of blocksOf(page)) {
    const file = fileOf(block);
    if (file === undefined || files?.includes(file) === false) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), block.text);
  }
  return folder;
}

/** A command of mcpgen alone that a shell would only split. */
const PLAIN = /^(?:npx (?:--no )?)?mcpgen ((?!serve|doctor)[\w ./:,=*"-]+)$/;

/** Runs it with the `mcpgen` of the folder; `env` beside it. A plain one runs in this process, as a start takes most of its time. */
export function run(command: string, cwd: string, env: Record<string, string> = {}): Promise<Ended> {
  const [, words] = PLAIN.exec(command) ?? [];
  if (words !== undefined) return mcpgenHere(words.replaceAll('"', '').split(' '), { cwd, env });
  const path = [join(cwd, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter);
  return node(['-c', command], {
    cwd,
    program: 'sh',
    env: { PATH: path, npm_config_offline: 'true', ...env },
  });
}

/** Its result on stdout. */
export async function succeed(command: string, cwd: string): Promise<string> {
  const { code, stdout, stderr } = await run(command, cwd);
  expect({ command, code }, `${stdout}\n${stderr}`).toEqual({ command, code: 0 });
  return stdout;
}

/** Of its blocks `sh`, one a line. */
export function commandsOf(page: string): string[] {
  return blocksOf(page)
    .filter((block) => block.info === 'sh')
    .flatMap(({ text }) => text.trimEnd().split('\n'));
}
