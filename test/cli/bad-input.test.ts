// Faults that occur in build scripts: broken configurations, locks and templates. Each is a diagnostic that says
// where and what, and nothing is written.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../architecture/support/source-files.ts';
import { runInProcess } from './support/fake-host.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const CONFLICT = '<<<<<<< HEAD\n=======\n>>>>>>> other\n';

/** The files of a project and around it, and what is said of a run. `edit` changes files that are there. */
interface Case {
  files?: Record<string, string>;
  edit?: Record<string, (text: string) => string>;
  args: string[];
  exitCode: number;
  want: RegExp;
}

const settled = (changes: object): string =>
  JSON.stringify({ source: '../petstore.yaml', ...changes }, null, 2);

test.each<[string, Case]>([
  [
    'a configuration that is no JSON',
    {
      files: { 'out/mcpgen.config.json': '{\n  "source": "../petstore.yaml"\n  "name": "x"\n}' },
      args: ['generate', 'out'],
      exitCode: 2,
      want: /^out\/mcpgen\.config\.json:3:3 - error MCPG604 invalid-config: /,
    },
  ],
  [
    'a configuration with two faults',
    {
      files: { 'out/mcpgen.config.json': settled({ nmae: 'x', strict: 'no' }) },
      args: ['check', 'out'],
      exitCode: 2,
      want: /^out\/mcpgen\.config\.json:3:3 - .*"nmae" \(did you mean "name"\?\)[^]*\nout\/mcpgen\.config\.json:4:13 - /,
    },
  ],
  [
    'a merge conflict in the configuration',
    {
      files: { 'out/mcpgen.config.json': `{\n${CONFLICT}}` },
      args: ['generate', 'out'],
      exitCode: 2,
      want: /^out\/mcpgen\.config\.json:2:1 - error MCPG604 .*marks of a merge conflict/,
    },
  ],
  [
    'a lock from the future',
    {
      edit: { 'out/mcpgen.lock': (text) => text.replace(/"format": \d+/, '"format": 99') },
      args: ['generate', 'out'],
      exitCode: 1,
      want: /lock-from-future: /,
    },
  ],
  [
    'a template with a syntax error',
    {
      files: { 'templates/Dockerfile.hbs': 'FROM node\n{{#if name}}\nEXPOSE 1\n' },
      args: ['generate', 'out'],
      exitCode: 1,
      want: /^templates\/Dockerfile\.hbs:4:1 - error MCPG522 invalid-template: .* a block or a tag is not closed/,
    },
  ],
])('%s', async (_, { files = {}, edit = {}, args, exitCode, want }) => {
  const cwd = temporaryFolder();
  cpSync(join(repositoryRoot, 'fixtures/petstore.yaml'), join(cwd, 'petstore.yaml'));
  mkdirSync(join(cwd, 'templates'));
  await runInProcess(['openapi', 'petstore.yaml', '-o', 'out', '--templates', 'templates'], { cwd });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  }
  for (const [path, change] of Object.entries(edit)) {
    const text = readFileSync(join(cwd, path), 'utf8');
    expect(change(text)).not.toBe(text);
    writeFileSync(join(cwd, path), change(text));
  }
  const before = contentsOf(cwd);
  const said = await runInProcess(args, { cwd });
  expect(said.stderr).toMatch(want);
  expect(said.exitCode).toBe(exitCode);
  expect(contentsOf(cwd)).toEqual(before);
});

function contentsOf(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(files.map((file) => [file, readFileSync(file, 'utf8')]));
}
