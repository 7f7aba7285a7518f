// Each thing that is wrong in a configuration is told in one run; in JSON with its line and column.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DiagnosticCollector } from '../../../src/diagnostics/collector.ts';
import { readConfig } from '../../../src/config/load/read-config.ts';
import { temporaryFolder } from '../../cli/support/temporary-folder.ts';

const cwd = temporaryFolder();
let count = 0;

/** `line:column message` of each diagnostic. */
async function told(name: string, text: string): Promise<string[]> {
  const dir = `project-${count++}`;
  mkdirSync(join(cwd, dir), { recursive: true });
  writeFileSync(join(cwd, dir, name), text);
  const diagnostics = new DiagnosticCollector();
  expect(await readConfig(dir, { cwd, diagnostics, env: {} })).toBeUndefined();
  return diagnostics.found.map(({ origin, message }) => {
    const place = origin?.kind === 'code' ? `${origin.file}:${origin.line}:${origin.column}` : 'nowhere';
    const words = message.replace(/^\S+ cannot be used: /, '');
    return `${place.replace(`${dir}/${name}:`, '')} ${words}`;
  });
}

const JSON_TEXT = `{
  "nmae": "x",
  "strict": "yes",
  "auth": { "scopes": ["a b"] },
  "source": "\${GONE}.yaml",
  "include": ["tag:a",
    "pets", 3]
}
`;
const TS_TEXT = `import { defineConfig } from 'mcpgen';
const auth = { scopes: ['a b'] } as const;
const shared = { strict: 'yes' };
export default (defineConfig({
  nmae: 'x',
  ...shared,
  auth, source: '\${GONE}.yaml',
  'include': [
    'tag:a', 'pets', 3],
}) satisfies object);
`.replace("import { defineConfig } from 'mcpgen';", 'const defineConfig = <T>(config: T): T => config;');

const WORDS = {
  nmae: 'it has an unknown member "nmae" (did you mean "name"?).',
  strict: '"strict" must be true or false.',
  scope: '"auth.scopes[0]" is "a b"; a scope must not contain spaces, quotes or backslashes.',
  gone: 'The configuration uses the environment variable GONE here, but it is not set.',
  pets: '"include[1]" is "pets"; a selector starts with tag:, path:, op: or method:.',
  three: '"include[2]" must be a string.',
};

const NOWHERE = Object.fromEntries(Object.keys(WORDS).map((key) => [key, 'nowhere']));

test.each<{ name: string; text: string; want: Record<string, string> }>([
  {
    name: 'mcpgen.config.json',
    text: JSON_TEXT,
    want: { gone: '5:13', nmae: '2:3', pets: '7:5', three: '7:13', scope: '4:24', strict: '3:13' },
  },
  {
    name: 'mcpgen.config.ts',
    text: TS_TEXT,
    want: NOWHERE,
  },
])('$name', async ({ name, text, want }) => {
  const lines = Object.entries(want).map(([key, place]) => `${place} ${WORDS[key as keyof typeof WORDS]}`);
  expect((await told(name, text)).sort()).toEqual(lines.sort());
});

test.each([
  {
    name: 'mcpgen.config.ts',
    text: "const sources = [{ openapi: 'https://a.test/a.yaml', prefix: `x${1}/` }];\nexport default { sources: [...sources] };\n",
    place: 'nowhere',
  },
  { name: 'mcpgen.config.ts', text: 'export default {', place: '1:17' },
  {
    name: 'mcpgen.config.ts',
    text: 'interface A { a: string }\nconst given: A | undefined = undefined;\n\nexport default { source: given.a };\n',
    place: '4:32',
  },
  {
    name: 'mcpgen.config.js',
    text: "function fail() {\n  throw new Error('No.');\n}\nexport default fail();\n",
    place: '2:9',
  },
  {
    name: 'mcpgen.config.mjs',
    text: "const make = async () => {\n  throw new Error('No.');\n};\nexport default make();\n",
    place: '2:9',
  },
  { name: 'mcpgen.config.json', text: '{\n  "source": }', place: '2:13' },
  { name: 'mcpgen.config.json', text: '{\n  "source": "a",\n  "source": "b" }', place: '3:3' },
  { name: 'mcpgen.config.json', text: '{\n<<<<<<< HEAD\n', place: '2:1' },
  { name: 'mcpgen.config.js', text: 'export default {\n<<<<<<< HEAD\n', place: '2:1' },
  { name: 'mcpgen.config.json', text: '{}', place: '1:1' },
])('$name, $text: $place', async ({ name, text, place }) => {
  const [first, other] = await told(name, text);
  expect(first).toMatch(new RegExp(`^${place} `));
  expect(other).toBeUndefined();
});
