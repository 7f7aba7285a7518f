// `mcpgen completion`: each shell that is installed loads its script and is asked for candidates.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { repositoryRoot } from '../architecture/support/source-files.ts';
import { runInProcess } from './support/fake-host.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

/** What a shell suggests for the last word of a line, in a folder with a file and a folder. */
type Suggest = (line: string, script: string, cwd: string) => string[];

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

const bash: Suggest = (line, script, cwd) => {
  const words = line.split(' ').flatMap((word) => word.split(/(?<==)|(?==)/));
  const code = `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _mcpgen; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const args = ['--norc', '--noprofile', '-c', code, script, ...words];
  return lines(execFileSync('bash', args, { cwd, encoding: 'utf8' }));
};

const fish: Suggest = (line, script, cwd) => {
  const args = ['--no-config', '-c', 'source $argv[1]; complete -C $argv[2]', script, line];
  const said = execFileSync('fish', args, { cwd, encoding: 'utf8', env: { ...process.env, HOME: cwd } });
  return lines(said).map((found) => found.replace(/\t.*/, ''));
};

/** Zsh completes only at a terminal: its own module makes one, and each match is written to a file. */
const zsh: Suggest = (line, script, cwd) => {
  const out = join(temporaryFolder(), 'found');
  writeFileSync(
    `${out}.zsh`,
    `PROMPT=; autoload -Uz compinit; compinit -D -u; source ${script}; cd ${cwd}
compadd() {
  if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then builtin compadd "$@"; return; fi
  local -a found; builtin compadd -A found "$@"; print -rl -- $found >> ${out}
  builtin compadd "$@"
}
finish() { : > ${out}.done; exit }
comppostfuncs=(finish)\n`,
  );
  const outer = `zmodload zsh/zpty; zpty inner zsh -f -i
zpty -w inner "source ${out}.zsh; : > ${out}.ready"
while [[ ! -e ${out}.ready ]]; do sleep 0.02; done
zpty -w -n inner ${JSON.stringify(line)}$'\\t'
while [[ ! -e ${out}.done ]]; do sleep 0.02; done
zpty -d inner`;
  execFileSync('zsh', ['-f', '-c', outer], { encoding: 'utf8', timeout: 20_000 });
  return existsSync(out) ? lines(readFileSync(out, 'utf8')) : [];
};

const { PATH } = process.env;
beforeAll(() => {
  const bin = temporaryFolder();
  const program = join(repositoryRoot, 'dist/bin/mcpgen.js');
  const text = `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`;
  writeFileSync(join(bin, 'mcpgen'), text, { mode: 0o755 });
  process.env['PATH'] = `${bin}:${PATH ?? ''}`;
});
afterAll(() => {
  process.env['PATH'] = PATH;
});

const DRIVERS: Record<string, Suggest> = { bash, zsh, fish };
const installed = Object.keys(DRIVERS).filter((shell) => spawnSync(shell, ['-c', 'exit 0']).status === 0);

test('bash is among the shells that are tried', () => {
  expect(installed).toContain('bash');
});

const SUGGESTIONS: [line: string, some: string[], none: string[]][] = [
  ['mcpgen ', ['openapi', 'publish', 'completion'], ['petstore.yaml']],
  ['mcpgen publish init ', ['docker', 'registry'], ['init', 'petstore.yaml']],
  ['mcpgen publish init docker f', ['folder'], []],
  ['mcpgen openapi p', ['petstore.yaml'], ['publish']],
  ['mcpgen openapi petstore.yaml --surf', ['--surface'], ['--output']],
  ['mcpgen openapi petstore.yaml --surface ', ['search', 'auto'], ['petstore.yaml']],
  ['mcpgen openapi petstore.yaml -o f', ['folder'], ['petstore.yaml']],
  ['mcpgen help over', ['overlay'], ['openapi']],
];

test.each(installed.flatMap((shell) => SUGGESTIONS.map((row) => [shell, ...row] as const)))(
  '%s: %s',
  async (shell, line, some, none) => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'petstore.yaml'), '');
    mkdirSync(join(cwd, 'folder'));
    const script = join(temporaryFolder(), 'script');
    writeFileSync(script, (await runInProcess(['completion', shell])).stdout);
    const found = (DRIVERS[shell] ?? bash)(line, script, cwd).map((each) => each.replace(/[=/]$/, ''));
    expect(found).toEqual(expect.arrayContaining(some));
    expect(found.filter((each) => none.includes(each))).toEqual([]);
  },
);

test('bash completes the value behind =', async () => {
  const script = join(temporaryFolder(), 'script');
  writeFileSync(script, (await runInProcess(['completion', 'bash'])).stdout);
  expect(bash('mcpgen openapi --surface=se', script, temporaryFolder())).toEqual(['search']);
  expect(bash('mcpgen openapi --surface=', script, temporaryFolder())).toContain('both');
});

test('another shell is refused with the four', async () => {
  const { exitCode, stderr } = await runInProcess(['completion', 'tcsh']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('bash, zsh, fish, powershell');
});
