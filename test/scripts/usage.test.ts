// Every script says how it is used, and does nothing when it is misunderstood.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { repositoryRoot } from '../architecture/support/source-files.ts';

const scripts = readdirSync(join(repositoryRoot, 'scripts')).filter((name) => name.endsWith('.mjs'));

interface Asked {
  status: number | string;
  stdout: string;
  stderr: string;
}

/** By option and script. */
let asked: Record<string, Record<string, Asked>> = {};
beforeAll(() => {
  const program = join(import.meta.dirname, 'ask-usages.mjs');
  const args = [program, join(repositoryRoot, 'scripts'), '--help', '--nonsense'];
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 2 ** 26 });
  asked = JSON.parse(stdout) as typeof asked;
});

test.each(scripts)('%s --help prints its usage', (script) => {
  const { status, stdout = '', stderr } = asked['--help']?.[script] ?? {};
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^Usage: (npm run|node scripts)\/?[^\n]+\n/);
});

test.each(scripts)('%s refuses an option that it does not know', (script) => {
  const { status, stdout, stderr = '' } = asked['--nonsense']?.[script] ?? {};
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(/^Unknown option '--nonsense'.*\nUsage: [^\n]+\n/);
});

test.each([
  { option: '--help', status: 0 },
  { option: '--nonsense', status: 2 },
])('as a process of its own a script ends with $status after $option', ({ option, status }) => {
  const ended = spawnSync(process.execPath, [join(repositoryRoot, 'scripts/dates.mjs'), option], {
    encoding: 'utf8',
  });
  expect(ended.status).toBe(status);
  expect(ended.stdout + ended.stderr).toContain('Usage: ');
});
