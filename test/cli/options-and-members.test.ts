// What the command line can say a configuration can say, and the other way round.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildProgram } from '../../src/cli/program.ts';
import { repositoryRoot } from '../architecture/support/source-files.ts';
import { hostOf } from './support/fake-host.ts';

/** Of one run alone, not of what is compiled. */
const OF_A_RUN = [
  ...['dryRun', 'check', 'force', 'keep', 'merge', 'rename', 'rebuildLock', 'watch', 'server'],
  ...['json', 'quiet', 'verbose', 'help'],
  // Consent is never a member: a configuration comes with the repository that asks for it.
  ...['acceptOrigin', 'allowEnv', 'allowOutput', 'code'],
];

/** Members that the command line says by its arguments, or by running once for each; and code, for which there is no option. */
const OF_A_FILE = ['$schema', 'source', 'typescript', 'sources', 'servers', 'hooks', 'helpers'];

/** Called otherwise in a configuration. */
const OTHERWISE: Record<string, string> = { overlay: 'overlays', tsconfig: 'typescript' };

const program = buildProgram({ host: hostOf({}), finish: () => undefined, tell: () => undefined });

function optionsOf(...names: string[]): string[] {
  const options = program.commands
    .filter((command) => names.includes(command.name()))
    .flatMap((command) => command.options.map((option) => option.attributeName()));
  return [...new Set(options)].sort();
}

const { properties } = JSON.parse(readFileSync(join(repositoryRoot, 'schema/config.json'), 'utf8')) as {
  properties: object;
};
const members = Object.keys(properties);

test('every option of compiling is a member, and every member an option', () => {
  const options = optionsOf('openapi', 'ts').filter((option) => !OF_A_RUN.includes(option));
  expect(options.length).toBeGreaterThan(15);
  const named = options.map((option) => OTHERWISE[option] ?? option);
  expect(named.filter((member) => !members.includes(member))).toEqual([]);
  expect(members.filter((member) => ![...named, ...OF_A_FILE].includes(member))).toEqual([]);
});

test('a command that takes a configuration takes nothing of that from the command line, but where it writes', () => {
  const options = optionsOf('generate', 'check').filter((option) => !OF_A_RUN.includes(option));
  expect(options).toEqual(['output']);
});
