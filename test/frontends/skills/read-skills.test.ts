// A folder of skills: what is served, and what is refused.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DiagnosticCollector } from '../../../src/diagnostics/collector.ts';
import { readSkills } from '../../../src/frontends/skills/read-skills.ts';

function head(name: string, description = 'Does work.', more = ''): string {
  return `---\nname: ${name}\ndescription: ${description}\n${more}---\n\n# Work\n`;
}

function placed(files: Record<string, string | Uint8Array>): string {
  const root = mkdtempSync(join(tmpdir(), 'mcpgen-skills-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const all = {
    'private.md': 'secret',
    ...Object.fromEntries(Object.entries(files).map(([path, text]) => [`skills/${path}`, text])),
  };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return join(root, 'skills');
}

function reading(absolute: string) {
  const diagnostics = new DiagnosticCollector();
  const skills = readSkills({ absolute, shown: 'skills' }, diagnostics);
  const told = diagnostics.found.map(({ name, message }) => `${name} ${message}`);
  return { skills, told, uris: skills?.files.map(({ uri }) => uri) ?? [] };
}

test('a skill has its front matter as it is written, and all of its files', () => {
  const png = new Uint8Array([0x89, 0x50, 0, 1]);
  const more = 'license: MIT\nmetadata:\n  since: 2026-01-01\n  tags: [a, b]\n';
  const { skills, told } = reading(
    placed({
      'a/refunds/SKILL.md': `${head('refunds', '"Gives money back: all."', more)}See [how](./docs/how%20to.md), [here](#x) and [web](https://a.example/x.md).\n`,
      'a/refunds/docs/how to.md': 'Ask.\n',
      'a/refunds/run.py': 'print(1)\r\n',
      'a/refunds/logo.png': png,
    }),
  );
  expect(told).toEqual([]);
  expect(skills?.entries).toEqual([
    {
      uri: 'skill://a/refunds/SKILL.md',
      frontmatter: {
        name: 'refunds',
        description: 'Gives money back: all.',
        license: 'MIT',
        metadata: { since: '2026-01-01', tags: ['a', 'b'] },
      },
    },
  ]);
  expect(skills?.files.map((file) => [file.uri, file.mimeType, 'text' in file])).toEqual([
    ['skill://a/refunds/SKILL.md', 'text/markdown', true],
    ['skill://a/refunds/docs/how%20to.md', 'text/markdown', true],
    ['skill://a/refunds/logo.png', 'image/png', false],
    ['skill://a/refunds/run.py', 'text/plain', true],
  ]);
  expect(skills?.files.at(-1)).toMatchObject({ text: 'print(1)\n' });
});

test('a skill inside another is one of its own, and its files belong to both', () => {
  const { skills, told } = reading(placed({ 'out/SKILL.md': head('out'), 'out/in/SKILL.md': head('in') }));
  expect(told).toEqual([]);
  expect(skills?.entries.map(({ uri }) => uri)).toEqual(['skill://out/SKILL.md', 'skill://out/in/SKILL.md']);
  expect(skills?.files).toHaveLength(2);
});

test.each<[string, string, string]>([
  ['no front matter', '# Work\n', 'does not begin with front matter'],
  ['another name', head('b'), 'its name is b, but its folder is named a'],
  ['a name of other characters', head('A_b'), '`name` must be 1 to 64 lower case letters'],
  ['no description', '---\nname: a\n---\n', '`description` must be a text of 1 to 1,024 characters'],
  [
    'a long description',
    head('a', 'x'.repeat(1025)),
    '`description` must be a text of 1 to 1,024 characters',
  ],
  ['front matter that is no YAML', '---\nname: [\n---\n', 'its front matter cannot be read'],
  ['front matter of a list', '---\n- a\n---\n', 'its front matter is no mapping'],
  ['aliases', head('a', 'x', 'b: &b [1]\nc: *b\n'), 'YAML aliases'],
  ['long front matter', head('a', 'x', `b: "${'x'.repeat(70_000)}"\n`), 'more than 64 KiB'],
  [
    'a reserved key',
    head('a', 'x', 'metadata: { io.modelcontextprotocol/x: 1 }\n'),
    'keys that MCP reserves',
  ],
])('%s: the skill is left out, and others are served', (_, text, words) => {
  const { uris, told } = reading(placed({ 'a/SKILL.md': text, 'good/SKILL.md': head('good') }));
  expect(uris).toEqual(['skill://good/SKILL.md']);
  expect(told).toEqual([expect.stringContaining(`skill-left-out The skill a is not served: `)]);
  expect(told[0]).toContain(words);
});

test('links out of the folder, hidden files and what belongs to no skill are refused', () => {
  const skills = placed({ 'a/SKILL.md': head('a'), 'a/.env': 'KEY=1', 'README.md': 'Skills.' });
  symlinkSync(join(skills, '../private.md'), join(skills, 'a/linked.md'));
  symlinkSync(join(skills, '..'), join(skills, 'a/up'));
  symlinkSync(join(skills, 'nothing'), join(skills, 'a/nothing'));
  symlinkSync(join(skills, 'a/SKILL.md'), join(skills, 'a/copy.md'));
  const { uris, told, skills: read } = reading(skills);
  expect(uris).toEqual(['skill://a/SKILL.md', 'skill://a/copy.md']);
  expect(JSON.stringify(read)).not.toContain('secret');
  expect(told).toEqual([
    'skill-left-out The file skills/a/.env is not served: its name begins with a dot.',
    'skill-left-out The file skills/a/linked.md is not served: it is a link to a place outside of the folder.',
    'skill-left-out The file skills/a/nothing is not served: it is a link to nothing.',
    'skill-left-out The file skills/a/up is not served: it is a link to a place outside of the folder.',
    'skill-left-out The file skills/README.md is not served: no folder above it has a `SKILL.md`.',
  ]);
});

test('copies of files that were overwritten are refused', () => {
  const { uris, told } = reading(
    placed({
      'a/SKILL.md': head('a'),
      'a/SKILL.md.orig': 'mine',
      'a/SKILL.md.orig.2': 'mine',
      'a/x.original': 'x',
    }),
  );
  expect(uris).toEqual(['skill://a/SKILL.md', 'skill://a/x.original']);
  expect(told).toEqual([
    'skill-left-out The file skills/a/SKILL.md.orig is not served: it is the copy of a file that was overwritten.',
    'skill-left-out The file skills/a/SKILL.md.orig.2 is not served: it is the copy of a file that was overwritten.',
  ]);
});

test('sizes are bounded, for each skill and for all', () => {
  const many = Object.fromEntries(Array.from({ length: 512 }, (_, index) => [`many/${index}.txt`, '']));
  const large = new Uint8Array(9 * 1024 * 1024).fill(97);
  const { uris, told } = reading(
    placed({
      ...{ ...many, 'many/SKILL.md': head('many') },
      ...{ 'big/SKILL.md': head('big'), 'big/a.txt': large, 'big/b.txt': large },
      ...{ 'one/SKILL.md': head('one'), 'one/a.txt': large },
      ...{ 'two/SKILL.md': head('two'), 'two/a.txt': large },
    }),
  );
  expect(uris).toEqual(['skill://one/SKILL.md', 'skill://one/a.txt']);
  expect(told).toEqual([
    expect.stringContaining('The skill big is not served: its files have more than 16 MiB'),
    expect.stringContaining('The skill many is not served: it has more than 512 files'),
    expect.stringContaining('The skill two is not served: all skills together have more than 16 MiB'),
  ]);
});

test('hidden characters are removed from prose, and told of in other text', () => {
  const { skills, told } = reading(
    placed({ 'a/SKILL.md': `\ufeff${head('a')}Hid\u200bden.\r\n`, 'a/run.sh': 'echo \u202etxt\n' }),
  );
  const texts = skills?.files.map((file) => ('text' in file ? file.text : ''));
  expect(texts).toEqual([`${head('a')}Hidden.\n`, 'echo \u202etxt\n']);
  expect(told.map((each) => each.split(' ')[0])).toEqual(['hidden-text', 'hidden-text']);
});

test('a folder that has the name by chance is left alone', () => {
  expect(reading(placed({ 'tennis.json': '{}', 'x/.hidden': '' }))).toEqual({
    skills: undefined,
    told: [],
    uris: [],
  });
});
