/** Writes a first configuration: the sources, the folder, and every other member as a comment. */
import type { OptionRow } from './option-row.ts';
import type { ConfigFormat } from './project-config.ts';
import { optionSentence, rows } from './rows.ts';
import { type ConfigSource, isDocument } from './sources.ts';

/** The schema, for editors, if mcpgen is installed in the folder. */
const SCHEMA = './node_modules/mcpgen/schema/config.json';

/** The project's folder. Without `output`, it would be the server's name, and a new title would begin a new project. */
const OUTPUT = 'mcp-server';

/** JSON has no comments, so only the sources and the folder. */
export function commentedConfig(sources: readonly ConfigSource[], format: ConfigFormat): string {
  if (format === 'json') return `${JSON.stringify({ $schema: SCHEMA, sources, output: OUTPUT }, null, 2)}\n`;
  return format === 'yaml' ? yaml(sources) : script(sources);
}

function yaml(sources: readonly ConfigSource[]): string {
  const items = sources.flatMap((source) => [
    ...Object.entries(source).map(
      ([key, value], index) => `${index === 0 ? '  - ' : '    '}${key}: ${literal(value)}`,
    ),
    ...comments(listMembers(source), '    #', ''),
  ]);
  return text([
    `# yaml-language-server: $schema=${SCHEMA}`,
    `# ${HEAD}`,
    'sources:',
    ...items,
    '',
    `# ${FOLDER}`,
    `output: ${literal(OUTPUT)}`,
    ...comments(listServerMembers(sources), '#', ''),
    '',
    ...SEVERAL.map((line) => `# ${line}`),
  ]);
}

function script(sources: readonly ConfigSource[]): string {
  const items = sources.flatMap((source) => [
    '    {',
    ...Object.entries(source).map(([key, value]) => `      ${key}: ${literal(value)},`),
    ...comments(listMembers(source), '      //', ','),
    '    },',
  ]);
  return text([
    `// ${HEAD}`,
    "import { defineConfig } from 'mcpgen';",
    '',
    'export default defineConfig({',
    '  sources: [',
    ...items,
    '  ],',
    '',
    `  // ${FOLDER}`,
    `  output: ${literal(OUTPUT)},`,
    ...comments(listServerMembers(sources), '  //', ','),
    '',
    ...SEVERAL.map((line) => `  // ${line}`),
    '});',
  ]);
}

const SEVERAL = [
  'Several servers in one file have `servers: { <name>: { … }, … }`, each with such members of its own;',
  'members beside `servers` apply to all of them.',
];

const FOLDER = 'Folder of the project. It stays where the title of a source changes.';

const HEAD = 'What `mcpgen generate` compiles. Paths are taken from here.';

function listMembers(source: ConfigSource): Row[] {
  const all = rows('source', 'document');
  return isDocument(source) ? all : all.filter(([name]) => name === 'prefix');
}

/** `link` applies only to functions. */
function listServerMembers(sources: readonly ConfigSource[]): Row[] {
  return rows('server', 'project').filter(([name]) => name !== 'link' || !sources.every(isDocument));
}

type Row = [name: string, row: OptionRow];

function comments(members: readonly Row[], mark: string, end: string): string[] {
  return members.flatMap(([key, row]) =>
    row.example === undefined
      ? []
      : ['', `${mark} ${optionSentence(row)}`, `${mark} ${key}: ${literal(row.example)}${end}`],
  );
}

/** A value on one line, as JavaScript and YAML both read it. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return `{ ${Object.entries(value)
      .map(([key, member]) => `${/^\w+$/.test(key) ? key : literal(key)}: ${literal(member)}`)
      .join(', ')} }`;
  const isPlain = typeof value === 'string' && /^[^'\\\p{Cc}]*$/u.test(value);
  return isPlain ? `'${value}'` : JSON.stringify(value);
}

function text(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}
