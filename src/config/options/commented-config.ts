/** Writes a first configuration in code: the sources, the folder, and every other member as a comment. */
import type { OptionRow } from './option-row.ts';
import type { ProjectConfig } from './project-config.ts';
import { optionSentence, listRows } from './rows.ts';
import { type ConfigSource, isDocument } from './sources.ts';

/** Members that a new configuration sets; all others stand in it as comments. */
type FirstSettings = Pick<ProjectConfig, 'name' | 'surface' | 'auth' | 'features'>;

/** Without `output`, a new title would begin a new project. */
export function printFirstConfig(
  sources: readonly ConfigSource[],
  output: string,
  settings: FirstSettings = {},
): string {
  const items = sources.flatMap((source) => [
    '    {',
    `      ${printSourceMember(source)},`,
    ...printOptionLines(listSourceOptions(source), source, '      '),
    '    },',
  ]);
  return joinLines([
    '// What `mcpgen generate` compiles. Paths are taken from here.',
    "import { defineConfig } from 'mcpgen';",
    '',
    'export default defineConfig({',
    '  sources: [',
    ...items,
    '  ],',
    '',
    '  // Folder of the project. It stays where the title of a source changes.',
    `  output: ${printLiteral(output)},`,
    ...printOptionLines(listServerOptions(sources), settings, '  '),
    '',
    '  // Several servers in one file have `servers: { <name>: { … }, … }`, each with such members of its own;',
    '  // members beside `servers` apply to all of them.',
    '});',
  ]);
}

function printSourceMember(source: ConfigSource): string {
  return isDocument(source)
    ? `openapi: ${printLiteral(source.openapi)}`
    : `typescript: ${printLiteral(source.typescript)}`;
}

function listSourceOptions(source: ConfigSource): Row[] {
  const all = listRows('source', 'document');
  return isDocument(source) ? all : all.filter(([name]) => name === 'prefix');
}

/** `link` applies only to functions. */
function listServerOptions(sources: readonly ConfigSource[]): Row[] {
  return listRows('server', 'project').filter(([name]) => name !== 'link' || !sources.every(isDocument));
}

type Row = [name: string, row: OptionRow];

/** Members that `set` has as they are, all others as comments with an example. */
function printOptionLines(members: readonly Row[], set: object, indent: string): string[] {
  const values = new Map<string, unknown>(Object.entries(set));
  return members.flatMap(([key, row]) => {
    const value = values.get(key) ?? row.example;
    const begin = values.has(key) ? indent : `${indent}// `;
    return value === undefined
      ? []
      : ['', `${indent}// ${optionSentence(row)}`, `${begin}${key}: ${printLiteral(value)},`];
  });
}

/** A value on one line, as JavaScript. */
export function printLiteral(value: unknown): string {
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
