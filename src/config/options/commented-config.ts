/** A configuration to begin with: the sources, the folder, and every other member as a comment. */
import type { ConfigFormat, ServerConfig } from './project-config.ts';
import { type ConfigSource, type DocumentSource, isDocument } from './sources.ts';

/** Where an editor finds the schema, in a folder where mcpgen is installed. */
const SCHEMA = './node_modules/mcpgen/schema/config.json';

/** The project's folder. Without one it would be called as the server, and another title would begin another project. */
const OUTPUT = 'mcp-server';

/** Why one would set a member, in a line, and a value to change. */
type Member = readonly [words: string, example: unknown];
type Members<K extends PropertyKey> = Record<K, Member>;

type OfDocument = Exclude<keyof DocumentSource, 'openapi' | 'routeMapFile'>;
type OfServer = Exclude<keyof ServerConfig, OfDocument | 'source' | 'sources' | 'typescript' | 'output'>;

const DOCUMENT_MEMBERS: Members<OfDocument> = {
  prefix: ['Begins the names of its tools, prompts and resources.', 'pets_'],
  overlays: ['OpenAPI Overlays, applied in order.', ['names.overlay.yaml']],
  baseUrl: ["Root of the API, in place of the document's servers.", 'https://api.example.com/v1'],
  include: [
    'What is served: tag:, path:, op: or method:. Default: everything.',
    ['tag:pets', 'path:/orders/**'],
  ],
  exclude: ['What is not; wins over include.', ['method:DELETE']],
  bodyMediaType: [
    'What bodies are sent as, where the document offers several.',
    ['op:createPet=application/json'],
  ],
  routeMap: [
    'Which operation becomes what: rules, or a file of them.',
    [{ methods: ['GET'], as: 'resource' }],
  ],
  allowRemoteRefs: ['Hosts whose documents a $ref may load. Default: none.', ['schemas.example.com']],
  refRoot: ['Folder that $refs to files must stay in.', '..'],
};

const SERVER_MEMBERS: Members<OfServer> = {
  name: ['Package, command and server name. Default: from the first source.', 'example-mcp'],
  serverVersion: ['Default: that of the first source.', '1.0.0'],
  registryName: ['In the MCP registry, in a namespace of yours.', 'io.github.ada/example-mcp'],
  maxNameLength: ['Longest tool name, 16 to 128.', 64],
  outputSchema: ['loose, strict or off. Default: loose, for functions strict.', 'loose'],
  auth: ['oauth: callers over HTTP are asked for a token. Default: none.', 'oauth'],
  templates: ['Folder of templates, in place of the built-in ones of the same names.', 'templates'],
  publish: ['Where it is published: each target adds the files that it needs.', ['docker', 'registry']],
  omit: ['Files that the project does without.', ['Dockerfile', 'compose.yaml']],
  helpers: ['Helpers for those: a module that exports them, or the functions themselves.', './helpers.ts'],
  hooks: ['onModel and onFiles change the server and its files: a module, or the functions.', './hooks.ts'],
  link: ['Functions stay where they are, and the project has no copy of their code.', true],
  strict: ['Warnings count as errors.', true],
};

/** The text of a configuration with these sources, and a folder. JSON has no comments, and so nothing else. */
export function commentedConfig(sources: readonly ConfigSource[], format: ConfigFormat): string {
  if (format === 'json') return `${JSON.stringify({ $schema: SCHEMA, sources, output: OUTPUT }, null, 2)}\n`;
  return format === 'yaml' ? yaml(sources) : script(sources);
}

function yaml(sources: readonly ConfigSource[]): string {
  const items = sources.flatMap((source) => [
    ...Object.entries(source).map(
      ([key, value], index) => `${index === 0 ? '  - ' : '    '}${key}: ${literal(value)}`,
    ),
    ...comments(membersOf(source), '    #', ''),
  ]);
  return text([
    `# yaml-language-server: $schema=${SCHEMA}`,
    `# ${HEAD}`,
    'sources:',
    ...items,
    '',
    `# ${FOLDER}`,
    `output: ${literal(OUTPUT)}`,
    ...comments(membersOfServer(sources), '#', ''),
    '',
    ...SEVERAL.map((line) => `# ${line}`),
  ]);
}

function script(sources: readonly ConfigSource[]): string {
  const items = sources.flatMap((source) => [
    '    {',
    ...Object.entries(source).map(([key, value]) => `      ${key}: ${literal(value)},`),
    ...comments(membersOf(source), '      //', ','),
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
    ...comments(membersOfServer(sources), '  //', ','),
    '',
    ...SEVERAL.map((line) => `  // ${line}`),
    '});',
  ]);
}

const SEVERAL = [
  'Several servers in one file have `servers: { <name>: { … }, … }`, each with such members of its own;',
  'what stands beside `servers` holds for all of them.',
];

const FOLDER = 'Folder of the project. It stays where the title of a source changes.';

const HEAD = 'What `mcpgen generate` compiles. Paths are taken from here.';

function membersOf(source: ConfigSource): Record<string, Member> {
  return isDocument(source) ? DOCUMENT_MEMBERS : { prefix: DOCUMENT_MEMBERS.prefix };
}

/** Without functions there is nothing to link. */
function membersOfServer(sources: readonly ConfigSource[]): Record<string, Member> {
  const { link, ...others } = SERVER_MEMBERS;
  return sources.every(isDocument) ? others : { ...others, link };
}

function comments(members: Record<string, Member>, mark: string, end: string): string[] {
  return Object.entries(members).flatMap(([key, [words, example]]) => [
    '',
    `${mark} ${words}`,
    `${mark} ${key}: ${literal(example)}${end}`,
  ]);
}

/** A value on one line, as JavaScript and YAML both read it. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return `{ ${Object.entries(value)
      .map(([key, member]) => `${key}: ${literal(member)}`)
      .join(', ')} }`;
  const isPlain = typeof value === 'string' && /^[^'\\\p{Cc}]*$/u.test(value);
  return isPlain ? `'${value}'` : JSON.stringify(value);
}

function text(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}
