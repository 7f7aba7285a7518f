// Every script says how it is used, and does nothing when it is misunderstood.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../architecture/support/source-files.ts';

const scripts = readdirSync(join(repositoryRoot, 'scripts')).filter((name) => name.endsWith('.mjs'));

function run(script: string, option: string): { status: number | null; stdout: string; stderr: string } {
  const args = [join(repositoryRoot, 'scripts', script), option];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { status, stdout, stderr };
}

test.each(scripts)('%s --help prints its usage', (script) => {
  const { status, stdout, stderr } = run(script, '--help');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^Usage: (npm run|node scripts)\/?[^\n]+\n/);
});

test.each(scripts)('%s refuses an option that it does not know', (script) => {
  const { status, stdout, stderr } = run(script, '--nonsense');
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(/^Unknown option '--nonsense'.*\nUsage: [^\n]+\n/);
});
