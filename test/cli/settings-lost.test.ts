// A project's mcpgen.config.json is not replaced by one that says less, whoever wrote it and whatever ran since.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type Said, runInProcess } from './support/fake-host.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const petstore = fileURLToPath(new URL('../../fixtures/petstore.yaml', import.meta.url));
const SOURCE = '../petstore.yaml';
const EDITED = { source: SOURCE, exclude: ['method:DELETE'], outputSchema: 'off' };

/** Steps: a command line, or what is written to a file. */
type Step = string | { file: string; text: string };
const inner = (config: unknown): Step => ({ file: 'p/mcpgen.config.json', text: print(config) });
const outer = (members: string): Step => ({
  file: 'mcpgen.config.ts',
  text: `export default { output: 'p', sources: [{ openapi: 'petstore.yaml' ${members} }] };\n`,
});

const OPENAPI = 'openapi petstore.yaml -o p';
const DROPS = 'exclude, outputSchema';

const stopped: { what: string; steps: Step[]; run: string; settings: string; next: string }[] = [
  {
    what: 'edited',
    steps: [OPENAPI, inner(EDITED)],
    run: OPENAPI,
    settings: DROPS,
    next: 'repeat them in this run',
  },
  {
    what: 'edited, and generated',
    steps: [OPENAPI, inner(EDITED), 'generate p', 'generate p'],
    run: OPENAPI,
    settings: DROPS,
    next: 'Run `mcpgen generate p`',
  },
  {
    what: 'given to an earlier run',
    steps: [`${OPENAPI} --exclude method:DELETE --output-schema off`],
    run: OPENAPI,
    settings: DROPS,
    next: 'repeat them in this run',
  },
  {
    what: 'edited in the project of an outer configuration',
    steps: [
      outer(''),
      'generate',
      inner({ sources: [{ openapi: SOURCE }], exclude: ['method:DELETE'] }),
      'generate p',
    ],
    run: 'generate',
    settings: 'exclude',
    next: 'write them into mcpgen.config.ts',
  },
  {
    what: 'edited, and given otherwise',
    steps: [OPENAPI, inner(EDITED), 'generate p'],
    run: `${OPENAPI} --output-schema off --exclude method:PUT`,
    settings: 'exclude',
    next: '--force',
  },
];

test.each(stopped)('stops: $what', async ({ steps, run, settings, next }) => {
  const cwd = await after(steps);
  const before = read(cwd, 'p/mcpgen.config.json');
  const { exitCode, stderr } = await command(run, cwd);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(
    `MCPG535 settings-lost: p/mcpgen.config.json has settings that this run would drop: ${settings}.`,
  );
  expect(stderr).toContain(next);
  expect(read(cwd, 'p/mcpgen.config.json')).toBe(before);
});

test.each(stopped)('--force keeps the file as .orig: $what', async ({ steps, run }) => {
  const cwd = await after(steps);
  const before = read(cwd, 'p/mcpgen.config.json');
  expect(await command(`${run} --force`, cwd)).toMatchObject({ exitCode: 0 });
  expect(read(cwd, 'p/mcpgen.config.json.orig')).toBe(before);
  expect(await command(run, cwd), 'written by the same run').toMatchObject({ exitCode: 0 });
});

const fine: { what: string; steps: Step[]; run: string }[] = [
  {
    what: 'the same run',
    steps: [`${OPENAPI} --exclude method:DELETE`],
    run: `${OPENAPI} --exclude method:DELETE`,
  },
  { what: 'more settings', steps: [OPENAPI], run: `${OPENAPI} --exclude method:DELETE` },
  {
    what: 'the same settings, said otherwise',
    steps: [`${OPENAPI} --exclude method:DELETE`],
    run: `${OPENAPI} --exclude method:PUT`,
  },
  {
    what: 'edited, and given just so',
    steps: [OPENAPI, inner({ strict: false, ...EDITED }), 'generate p'],
    run: `${OPENAPI} --exclude method:DELETE --output-schema off`,
  },
  {
    what: 'edited, with what is no setting of the server',
    steps: [OPENAPI, inner({ $schema: './config.json', output: './', ...EDITED }), 'generate p'],
    run: `${OPENAPI} --exclude method:DELETE --output-schema off`,
  },
  {
    what: 'the outer configuration has changed',
    steps: [outer(", exclude: ['method:DELETE']"), 'generate', outer('')],
    run: 'generate',
  },
];

test.each(fine)('goes on: $what', async ({ steps, run }) => {
  const cwd = await after(steps);
  const { exitCode, stderr } = await command(run, cwd);
  expect(exitCode, stderr).toBe(0);
  expect(existsSync(join(cwd, 'p/mcpgen.config.json.orig'))).toBe(false);
  expect(await command('check p', cwd)).toMatchObject({ exitCode: 0 });
});

const checks = [
  { what: 'no project', steps: [outer('')], run: 'check', next: 'mcpgen generate' },
  {
    what: 'stale',
    steps: [outer(''), 'generate', outer(", prefix: 'my_'")],
    run: 'check',
    next: 'mcpgen generate',
  },
  {
    what: 'by its file',
    steps: [outer(''), 'generate', outer(", prefix: 'my_'")],
    run: 'check mcpgen.config.ts',
    next: 'mcpgen generate mcpgen.config.ts',
  },
  {
    what: 'its own configuration',
    steps: [OPENAPI, inner(EDITED)],
    run: 'check p',
    next: 'mcpgen generate p',
  },
];

test.each(checks)('check names the command that writes the project: $what', async ({ steps, run, next }) => {
  const cwd = await after(steps);
  const checked = await command(run, cwd);
  expect(checked.exitCode).toBe(1);
  expect(checked.stderr).toContain(`\`${next}\``);
  expect(await command(next.replace('mcpgen ', ''), cwd)).toMatchObject({ exitCode: 0 });
  expect(await command(run, cwd)).toMatchObject({ exitCode: 0 });
});

const LESS = outer(", exclude: ['method:DELETE']");
const hints: { what: string; steps: Step[]; run: string; want: string }[] = [
  {
    what: 'check of no project',
    steps: [outer('')],
    run: 'check',
    want: 'Write it first: run `mcpgen generate`.',
  },
  { what: '--check of no project', steps: [], run: `${OPENAPI} --check`, want: 'leave `--check` out.' },
  {
    what: 'edited beside an outer configuration',
    steps: [LESS, 'generate', inner({ source: SOURCE })],
    run: 'generate',
    want: 'Run `mcpgen generate p` to compile with the edited configuration, or move your changes to mcpgen.config.ts, or add --force',
  },
  {
    what: 'edited beside an outer configuration, and checked',
    steps: [LESS, 'generate', inner({ source: SOURCE })],
    run: 'check',
    want: 'mcpgen.config.json was edited, but this run takes its settings from mcpgen.config.ts. Run `mcpgen generate p` to compile with the file; or move your changes to mcpgen.config.ts, and run `mcpgen generate --force`',
  },
  {
    what: 'edited beside a command line, and checked',
    steps: [OPENAPI, inner(EDITED)],
    run: `${OPENAPI} --check`,
    want: 'this run takes its settings from the command line. Run `mcpgen generate p` to compile with the file.',
  },
  {
    what: 'a generated file edited beside an outer configuration',
    steps: [outer(''), 'generate', { file: 'p/README.md', text: 'mine' }],
    run: 'generate',
    want: '(`templates` in mcpgen.config.ts)',
  },
];

test.each(hints)('the hint names what helps: $what', async ({ steps, run, want }) => {
  const { exitCode, stderr } = await command(run, await after(steps));
  expect(exitCode).toBe(1);
  expect(stderr).toContain(want);
});

test('a file that says the same in other words stays as it is written', async () => {
  const text = `{ "exclude": ["method:DELETE"],\n  "source": "${SOURCE}" }`;
  const cwd = await after([OPENAPI, { file: 'p/mcpgen.config.json', text }]);
  const run = `${OPENAPI} --exclude method:DELETE`;
  for (const each of [run, run, 'check p', 'generate p'])
    expect(await command(each, cwd), each).toMatchObject({ exitCode: 0 });
  expect(read(cwd, 'p/mcpgen.config.json')).toBe(text);
});

test('git ignores each file that --force has kept', async () => {
  const cwd = await after([OPENAPI]);
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', join(cwd, 'p'), ...args], { encoding: 'utf8' });
  git('init', '--quiet');
  for (const text of ['mine\n', 'mine again\n']) {
    writeFileSync(join(cwd, 'p/README.md'), text);
    expect(await command('generate p --force', cwd)).toMatchObject({ exitCode: 0 });
  }
  expect(existsSync(join(cwd, 'p/README.md.orig.2'))).toBe(true);
  const seen = git('ls-files', '--others', '--exclude-standard').split('\n');
  expect(seen.filter((file) => file.includes('.orig'))).toEqual([]);
});

async function after(steps: Step[]): Promise<string> {
  const cwd = temporaryFolder();
  copyFileSync(petstore, join(cwd, 'petstore.yaml'));
  for (const step of steps) {
    if (typeof step !== 'string') writeFileSync(join(cwd, step.file), step.text);
    else expect(await command(step, cwd), step).toMatchObject({ exitCode: 0 });
  }
  return cwd;
}

function command(line: string, cwd: string): Promise<Said> {
  return runInProcess(line.split(' '), { cwd });
}

function read(cwd: string, file: string): string {
  return readFileSync(join(cwd, file), 'utf8');
}

function print(config: unknown): string {
  return `${JSON.stringify(config, null, 2)}\n`;
}

test('one document is the same server as `source` and in the list `sources`', async () => {
  const cwd = await after([outer(''), 'generate']);
  expect((await command(OPENAPI, cwd)).stderr).not.toContain('settings-lost');
});
