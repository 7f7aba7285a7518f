// Skills beside a source: `skills init`, and what a project has of them.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { expect, onTestFinished, test } from 'vitest';
import { runInProcess } from './support/fake-host.ts';

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1.0.0' },
  servers: [{ url: 'https://api.example.com' }],
  paths: {
    '/pets': {
      get: {
        tags: ['Pet Shop'],
        operationId: 'listPets',
        summary: 'List pets',
        parameters: [{ name: 'cursor', in: 'query', schema: { type: 'string' } }],
        responses: { 200: { description: 'ok' } },
      },
    },
    '/pets/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: {
        tags: ['Pet Shop'],
        operationId: 'getPet',
        summary: 'Get [a](https://evil.example) pet',
        responses: { 200: { description: 'ok' }, 404: { description: 'No such pet | none.' } },
      },
      delete: {
        tags: ['Pet Shop'],
        operationId: 'deletePet',
        summary: 'Delete a pet',
        responses: { 204: { description: 'ok' } },
      },
    },
    '/other': {
      get: { operationId: 'other', summary: 'Other work', responses: { 200: { description: 'ok' } } },
    },
  },
};

function folder(): { dir: string; run: (...args: string[]) => ReturnType<typeof runInProcess> } {
  const dir = mkdtempSync(join(tmpdir(), 'mcpgen-skills-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  writeFileSync(join(dir, 'pets.json'), JSON.stringify(DOCUMENT));
  return { dir, run: (...args) => runInProcess(args, { cwd: dir }) };
}

test('skills init writes one for each tag, in the order of work, and overwrites none unasked', async () => {
  const { dir, run } = folder();
  expect(await run('skills', 'init', 'pets.json')).toMatchObject({
    exitCode: 0,
    stdout: 'wrote skills: 2 skills\n',
  });
  const text = readFileSync(join(dir, 'skills/pet-shop/SKILL.md'), 'utf8');
  const [, frontmatter = ''] = text.split('---\n');
  expect(load(frontmatter)).toEqual({
    name: 'pet-shop',
    description: expect.stringMatching(/^Tasks about Pet Shop with Pets: List pets, Get .*Delete a pet\.$/),
  });
  expect(text).toMatch(
    /`listPets`[^]*`getPet`[^]*Needs `id`, which `listPets` finds\.[^]*`deletePet`[^]*Ask the user first\./,
  );
  expect(text).toContain(String.raw`Get \[a\](https://evil.example) pet. Needs ` + '`id`, which');
  expect(text.match(/Needs/g)).toHaveLength(2);
  expect(readFileSync(join(dir, 'skills/pets-mcp/SKILL.md'), 'utf8')).toContain('`other`');

  writeFileSync(join(dir, 'skills/pet-shop/SKILL.md'), 'mine');
  const again = await run('skills', 'init', 'pets.json');
  expect(again).toMatchObject({ exitCode: 1, stdout: '' });
  expect(again.stderr).toContain('MCPG129 draft-not-written');
  expect(readFileSync(join(dir, 'skills/pet-shop/SKILL.md'), 'utf8')).toBe('mine');
  expect(await run('skills', 'init', 'pets.json', '--force')).toMatchObject({ exitCode: 0 });
  expect(readFileSync(join(dir, 'skills/pet-shop/SKILL.md'), 'utf8')).toBe(text);
  expect(readFileSync(join(dir, 'skills/pet-shop/SKILL.md.orig'), 'utf8')).toBe('mine');
  await run('skills', 'init', 'pets.json', '--force');
  expect(existsSync(join(dir, 'skills/pet-shop/SKILL.md.orig.2'))).toBe(false);
  const { stderr } = await run('openapi', 'pets.json', '-o', 'out');
  expect(stderr).toContain('SKILL.md.orig is not served: it is the copy of a file that was overwritten.');
  expect(readFileSync(join(dir, 'out/src/generated/skills.json'), 'utf8')).not.toContain('.orig');
});

test('skills init does not write through a link', async () => {
  const { dir, run } = folder();
  mkdirSync(join(dir, 'elsewhere'));
  symlinkSync(join(dir, 'elsewhere'), join(dir, 'skills'));
  const said = await run('skills', 'init', 'pets.json', '--force');
  expect(said.stderr).toContain('skills is a link');
  expect(existsSync(join(dir, 'elsewhere/pet-shop'))).toBe(false);
  const own = await run('skills', 'init', 'pets.json', '-o', 'own');
  expect(own.stderr).toContain('name the folder in the configuration: "skills": "own"\n');
});

test('what skills init writes is served, and a project follows the folder', async () => {
  const { dir, run } = folder();
  await run('skills', 'init', 'pets.json');
  const made = await run('openapi', 'pets.json', '-o', 'out');
  expect(made.stderr).not.toMatch(/skill-|MCPG14/);
  const served = () =>
    JSON.parse(readFileSync(join(dir, 'out/src/generated/skills.json'), 'utf8')) as {
      skills: { uri: string; resources: unknown[] }[];
    };
  expect(served().skills.map(({ uri }) => uri)).toEqual([
    'skill://pet-shop/SKILL.md',
    'skill://pets-mcp/SKILL.md',
  ]);
  expect((await run('inspect', 'pets.json')).stdout).toMatch(
    /· 2 skills ·[^]*Skills\n {2}skill:\/\/pet-shop\/SKILL\.md +1 file\n/,
  );
  // Absolute paths would say where the project was made.
  expect(readFileSync(join(dir, 'out/src/generated/skills.json'), 'utf8')).not.toContain(dir);
  expect(existsSync(join(dir, 'out/src/runtime/features/skills.ts'))).toBe(true);

  writeFileSync(join(dir, 'skills/pet-shop/more.md'), 'More.');
  await run('generate', 'out');
  expect(served().skills[0]?.resources).toHaveLength(2);

  const config = join(dir, 'out/mcpgen.config.json');
  const settings = JSON.parse(readFileSync(config, 'utf8')) as object;
  writeFileSync(config, JSON.stringify({ ...settings, skills: '-' }));
  await run('generate', 'out');
  expect(existsSync(join(dir, 'out/src/generated/skills.json'))).toBe(false);
  expect(existsSync(join(dir, 'out/src/runtime/features/skills.ts'))).toBe(false);
  expect(await run('check', 'out')).toMatchObject({ exitCode: 0 });
});

test('a folder that is named must be there, and one that is a link is not found by itself', async () => {
  const { dir, run } = folder();
  const config = join(dir, 'mcpgen.config.json');
  writeFileSync(config, JSON.stringify({ source: 'pets.json', skills: 'none' }));
  const said = await run('inspect', 'mcpgen.config.json');
  rmSync(config);
  expect(said).toMatchObject({ exitCode: 1 });
  expect(said.stderr).toContain('MCPG140 skills-not-found');
  mkdirSync(join(dir, 'private/x'), { recursive: true });
  writeFileSync(join(dir, 'private/x/SKILL.md'), '---\nname: x\ndescription: Private.\n---\n');
  symlinkSync(join(dir, 'private'), join(dir, 'skills'));
  await run('openapi', 'pets.json', '-o', 'out');
  expect(existsSync(join(dir, 'out/src/generated/skills.json'))).toBe(false);
});
