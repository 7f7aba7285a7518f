// `--json` prints what schema/json-output.json describes, on success and on failure.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../architecture/support/source-files.ts';
import { runInProcess } from './support/fake-host.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const schema = JSON.parse(readFileSync(join(repositoryRoot, 'schema/json-output.json'), 'utf8')) as object;
const validate = new Ajv2020({ strict: false, allErrors: true }).compile(schema);

const folder = temporaryFolder();
cpSync(join(repositoryRoot, 'fixtures/petstore.yaml'), join(folder, 'old.yaml'));
const changed = readFileSync(join(folder, 'old.yaml'), 'utf8').replace('listPets', 'findPets');
writeFileSync(join(folder, 'new.yaml'), changed);
writeFileSync(join(folder, 'broken.yaml'), 'openapi: 3.1.0\n  info: [');
const servers = { old: { sources: [{ openapi: 'old.yaml' }] }, new: { sources: [{ openapi: 'new.yaml' }] } };
writeFileSync(join(folder, 'mcpgen.config.json'), JSON.stringify({ servers }));

async function printed(command: string): Promise<Record<string, unknown>> {
  const { stdout } = await runInProcess([...command.split(' '), '--json'], { cwd: folder });
  const document = JSON.parse(stdout) as Record<string, unknown>;
  expect(validate(document), JSON.stringify(validate.errors)).toBe(true);
  return document;
}

test('one server: written, fresh, edited, stale, not to be compiled', async () => {
  const run = { source: 'old.yaml', dir: 'one', tools: 13 };
  expect(await printed('openapi old.yaml -o one')).toMatchObject({ ok: true, result: run });
  expect(await printed('check one')).toMatchObject({ ok: true, result: { dir: 'one', written: [] } });
  writeFileSync(join(folder, 'one/README.md'), 'mine');
  const diffs = [{ path: 'README.md' }];
  expect(await printed('generate one')).toMatchObject({
    exitCode: 1,
    result: { edited: ['README.md'], foreign: [], diffs },
  });
  expect(await printed('check one')).toMatchObject({ exitCode: 1, result: { edited: ['README.md'], diffs } });
  expect(await printed('openapi broken.yaml')).toMatchObject({ exitCode: 1, diagnostics: [{ line: 2 }] });
  expect(await printed('generate nowhere')).toMatchObject({ exitCode: 2, result: { dir: 'nowhere' } });
  expect(await printed('check --strange')).toMatchObject({ exitCode: 2, result: null });
});

test('several servers', async () => {
  const written = { old: { name: 'old' }, new: { name: 'new' } };
  expect(await printed('generate')).toMatchObject({ ok: true, result: { servers: written } });
  expect(await printed('check')).toMatchObject({ ok: true, result: { servers: { old: {}, new: {} } } });
  expect(await printed('diff .')).toEqual({
    servers: {
      old: { breaking: 0, compatible: 0, changes: [] },
      new: { breaking: 0, compatible: 0, changes: [] },
    },
  });
});

test('comparisons: bare, and in a document when they fail', async () => {
  expect(await printed('diff old.yaml new.yaml')).toMatchObject({
    breaking: 1,
    changes: [{ was: 'listPets' }, {}],
  });
  const failed = await printed('diff old.yaml new.yaml --fail-on breaking');
  expect(failed).toMatchObject({ ok: false, exitCode: 1, result: { breaking: 1 } });
  expect(await printed('diff old.yaml broken.yaml')).toMatchObject({ exitCode: 1, result: null });
});

const fine = { ok: true, exitCode: 0, diagnostics: [], result: null };

test.each([
  { what: 'an unknown member', given: { ...fine, more: 1 } },
  { what: 'no result', given: { ok: true, exitCode: 0, diagnostics: [] } },
  { what: 'a kind of change that is none', given: { breaking: 0, compatible: 1, changes: [{ kind: 'x' }] } },
])('$what does not conform', ({ given }) => {
  expect(validate(fine)).toBe(true);
  expect(validate(given)).toBe(false);
});
