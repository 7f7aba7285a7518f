/** Writes a first configuration: the sources, the folder, and every other member as a comment. */
import type { OptionRow } from './option-row.ts';
import type { ConfigFormat, ProjectConfig } from './project-config.ts';
import { optionSentence, listRows } from './rows.ts';
import { type ConfigSource, isDocument } from './sources.ts';

/** The schema, for editors, if mcpgen is installed in the folder. */
const SCHEMA = './node_modules/mcpgen/schema/config.json';

/** Members that a new configuration sets; all others stand in it as comments. */
type FirstSettings = Pick<ProjectConfig, 'name' | 'surface' | 'auth' | 'features'>;

/** JSON has no comments, so only members that are set. Without `output`, a new title would begin a new project. */
export function printFirstConfig(
  sources: readonly ConfigSource[],
  format: ConfigFormat,
  output: string,
  settings: FirstSettings = {},
): string {
  if (format === 'json')
    return `${JSON.stringify({ $schema: SCHEMA, sources, output, ...settings }, null, 2)}\n`;
  return format === 'yaml'
    ? printYamlConfig(sources, output, settings)
    : printScriptConfig(sources, output, settings);
}

function printYamlConfig(sources: readonly ConfigSource[], output: string, settings: FirstSettings): string {
  const items = sources.flatMap((source) => [
    `  - ${printSourceMember(source)}`,
    ...printOptionLines(listSourceOptions(source), source, { indent: '    ', mark: '# ', end: '' }),
  ]);
  return joinLines([
    `# yaml-language-server: $schema=${SCHEMA}`,
    `# ${HEAD}`,
    'sources:',
    ...items,
    '',
    `# ${FOLDER}`,
    `output: ${printLiteral(output)}`,
    ...printOptionLines(listServerOptions(sources), settings, { indent: '', mark: '# ', end: '' }),
    '',
    ...SEVERAL.map((line) => `# ${line}`),
  ]);
}

function printScriptConfig(
  sources: readonly ConfigSource[],
  output: string,
  settings: FirstSettings,
): string {
  const items = sources.flatMap((source) => [
    '    {',
    `      ${printSourceMember(source)},`,
    ...printOptionLines(listSourceOptions(source), source, { indent: '      ', mark: '// ', end: ',' }),
    '    },',
  ]);
  return joinLines([
    `// ${HEAD}`,
    "import { defineConfig } from 'mcpgen';",
    '',
    'export default defineConfig({',
    '  sources: [',
    ...items,
    '  ],',
    '',
    `  // ${FOLDER}`,
    `  output: ${printLiteral(output)},`,
    ...printOptionLines(listServerOptions(sources), settings, { indent: '  ', mark: '// ', end: ',' }),
    '',
    ...SEVERAL.map((line) => `  // ${line}`),
    '});',
  ]);
}

function printSourceMember(source: ConfigSource): string {
  return isDocument(source)
    ? `openapi: ${printLiteral(source.openapi)}`
    : `typescript: ${printLiteral(source.typescript)}`;
}

const SEVERAL = [
  'Several servers in one file have `servers: { <name>: { … }, … }`, each with such members of its own;',
  'members beside `servers` apply to all of them.',
];

const FOLDER = 'Folder of the project. It stays where the title of a source changes.';

const HEAD = 'What `mcpgen generate` compiles. Paths are taken from here.';

function listSourceOptions(source: ConfigSource): Row[] {
  const all = listRows('source', 'document');
  return isDocument(source) ? all : all.filter(([name]) => name === 'prefix');
}

/** `link` applies only to functions. */
function listServerOptions(sources: readonly ConfigSource[]): Row[] {
  return listRows('server', 'project').filter(([name]) => name !== 'link' || !sources.every(isDocument));
}

type Row = [name: string, row: OptionRow];

interface Layout {
  indent: string;
  /** Makes a comment of the rest of the line. */
  mark: string;
  end: string;
}

/** Members that `set` has as they are, all others as comments with an example. */
function printOptionLines(members: readonly Row[], set: object, { indent, mark, end }: Layout): string[] {
  const values = new Map<string, unknown>(Object.entries(set));
  return members.flatMap(([key, row]) => {
    const value = values.get(key) ?? row.example;
    const begin = values.has(key) ? indent : `${indent}${mark}`;
    return value === undefined
      ? []
      : ['', `${indent}${mark}${optionSentence(row)}`, `${begin}${key}: ${printLiteral(value)}${end}`];
  });
}

/** A value on one line, as JavaScript and YAML both read it. */
function printLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printLiteral).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return `{ ${Object.entries(value)
      .map(([key, member]) => `${/^\w+$/.test(key) ? key : printLiteral(key)}: ${printLiteral(member)}`)
      .join(', ')} }`;
  const isPlain = typeof value === 'string' && /^[^'\\\p{Cc}]*$/u.test(value);
  return isPlain ? `'${value}'` : JSON.stringify(value);
}

function joinLines(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}
