/** The files that are pure data: no template, one stable serializer. */
import { createHash } from 'node:crypto';
import type { ResourceBinding, ToolBinding } from '../model/bindings.ts';
import type { JsonSchema } from '../util/json-schema.ts';
import { type IndexedTool, makeIndex } from '../../templates/runtime/features/search/search-index.ts';
import { cutInputForListing } from '../derive/schema/cut-schema.ts';
import { toListedSchema } from '../derive/schema/listed-schema.ts';
import type { MockTexts, ServerModel, Tool } from '../model/server-model.ts';
import { collectSharedSchemas, omitSharedDefs } from '../model/shared-schemas.ts';
import { type SkillFile, type Skills, filesOfSkill } from '../model/skills.ts';
import { omitUndefined, pickMembers } from '../util/collections.ts';
import { yieldToSignals } from '../util/pauses.ts';
import { CONFIG_PATH, type EmitOptions } from './emit-options.ts';
import { chooseFeatures, hasApi } from './features.ts';
import type { GeneratedFile } from './generated-file.ts';
import { type WireCalls, makeWireCalls } from './wire/wire-calls.ts';

export interface Demands {
  /** Names of features without which the server does not start. */
  requires: readonly string[];
  /** A set variable or flag → the feature that reads it and that the server lacks: it does not start either. */
  refuses: Record<string, string>;
}

export async function emitDataFiles(
  model: ServerModel,
  options: EmitOptions,
  demands: Demands,
): Promise<GeneratedFile[]> {
  const { config } = options;
  const features = new Set(chooseFeatures(model, options).map(({ name }) => name));
  const { signal } = options;
  const files: GeneratedFile[] = [];
  const addFile = (path: string, contents: string): void =>
    void files.push({ path, contents, ownership: 'generated' });
  addFile('src/generated/catalog.json', printCatalog(model));
  addFile('src/generated/bindings.json', printBindings(model, features.has('mock'), demands));
  await yieldToSignals(signal);
  if (features.has('mock') && hasMock(model)) addFile('src/generated/mock.json', printMock(model));
  if (model.skills !== undefined) addFile('src/generated/skills.json', printSkills(model.skills));
  if (features.has('search')) addFile('src/generated/search.json', printSearch(model));
  if (hasApi(model)) addFile('test/wire.json', printWire(await makeWireCalls(model, options.onLeftOut)));
  if (config !== undefined) files.push({ path: CONFIG_PATH, contents: config, ownership: 'once' });
  return files;
}

export function printCatalog(model: ServerModel): string {
  const { tools, resources, resourceTemplates, prompts, skills, readOnly } = model;
  return printMembers([
    printItems(
      'tools',
      tools.map((tool) => ({
        ...pickMembers(tool, ['name', 'title', 'description', 'icons']),
        inputSchema: cutInputForListing(tool.inputSchema).schema,
        outputSchema: tool.outputSchema && toListedSchema(tool.outputSchema),
        ...pickMembers(tool, ['annotations', 'execution', '_meta']),
      })),
    ),
    printItems(
      'resources',
      // Other files of a skill are not listed: `skills/list` has them.
      [
        ...resources.map((resource) =>
          pickMembers(resource, ['uri', ...NAMES, 'mimeType', 'icons', 'annotations', 'size', '_meta']),
        ),
        ...(skills?.entries ?? []).map(({ uri, frontmatter: { name, description } }) => ({
          uri,
          name,
          description,
          mimeType: 'text/markdown',
        })),
      ],
    ),
    printItems(
      'resourceTemplates',
      resourceTemplates.map((template) =>
        pickMembers(template, ['uriTemplate', ...NAMES, 'mimeType', 'icons', 'annotations', '_meta']),
      ),
    ),
    printItems(
      'prompts',
      prompts.map((prompt) => pickMembers(prompt, [...NAMES, 'icons', 'arguments', '_meta'])),
    ),
    ...(readOnly === undefined ? [] : [`"guards":${JSON.stringify({ readOnly })}`]),
  ]);
}

const NAMES = ['name', 'title', 'description'] as const;

export function printSkills({ entries, files }: Skills): string {
  const resources = new Map(files.map((file) => [file, digestSkillFile(file)]));
  const listed = entries.map((entry) => ({
    ...entry,
    resources: filesOfSkill(entry, files).map((file) => ({ uri: file.uri, ...resources.get(file) })),
  }));
  const texts = files.map(({ uri, ...file }): [string, unknown] => [uri, file]);
  return printMembers([printItems('skills', listed), printMap('files', texts)]);
}

function digestSkillFile(file: SkillFile): { digest: string; size: number } {
  const bytes = 'text' in file ? Buffer.from(file.text) : Buffer.from(file.blob, 'base64');
  return { digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}`, size: bytes.length };
}

/** With `samples`, bindings of functions contain the results that mock mode returns. */
export function printBindings(model: ServerModel, samples = true, demands?: Demands): string {
  const omitUnwantedSample = (binding: ResourceBinding): ResourceBinding =>
    samples ? binding : omitSample(binding);
  const { tools, resources, resourceTemplates, prompts, completions, codecs, started, deselected } = model;
  const { upstream, upstreams, operations } = model;
  const schemas = collectSharedSchemas(
    tools.map(({ inputSchema }) => inputSchema).filter((schema) => cutInputForListing(schema).isCut),
  );
  return printMembers([
    ...printIfPresent(upstream, (api) => `"upstream":${JSON.stringify(api)}`),
    ...printIfPresent(upstreams, (apis) => printItems('upstreams', apis)),
    ...Object.entries({
      tools: tools.map((tool): [string, unknown] => [tool.name, bindTool(tool, schemas)]),
      resources: resources.map(({ uri, binding }) => [uri, omitUnwantedSample(binding)]),
      resourceTemplates: resourceTemplates.map(({ uriTemplate, binding }) => [
        uriTemplate,
        omitUnwantedSample(binding),
      ]),
      prompts: prompts.map(({ name, binding }) => [name, binding]),
    } satisfies Record<string, [string, unknown][]>).map(([name, entries]) => printMap(name, entries)),
    printItems('completions', completions),
    ...Object.entries({ schemas, codecs }).flatMap(([name, all]) =>
      printIfPresent(all, (entries) => printMap(name, Object.entries(entries))),
    ),
    ...printIfPresent(started, (all) => printItems('started', all)),
    ...printIfPresent(operations, (all) => printMap('operations', Object.entries(all))),
    ...printIfPresent(deselected, (all) =>
      printList(
        'deselected',
        all.map((item) => JSON.stringify(item)),
      ),
    ),
    ...Object.entries(demands ?? {}).map(([name, all]) => `"${name}":${JSON.stringify(all)}`),
  ]);
}

/** Only mock mode reads samples. */
function omitSample({ do: target, ...binding }: ResourceBinding): ResourceBinding {
  if (target.kind !== 'function' || target.result?.sample === undefined) return { do: target, ...binding };
  const { sample, ...result } = target.result;
  void sample;
  return { do: { ...target, result }, ...binding };
}

function bindTool(tool: Tool, schemas: Record<string, JsonSchema> | undefined): ToolBinding {
  const { binding, prepare, scopes, tags } = tool;
  const input = cutInputForListing(tool.inputSchema).isCut
    ? omitSharedDefs(tool.inputSchema, schemas)
    : undefined;
  return {
    do: binding,
    ...(scopes.length === 0 ? {} : { scopes }),
    ...(tags.length === 0 ? {} : { tags }),
    ...omitUndefined({ prepare, input }),
  };
}

export function printSearch({ tools }: Pick<ServerModel, 'tools'>): string {
  const pins = tools.flatMap(({ name, pin }) => (pin === true ? name : []));
  return makeIndex(tools as unknown as readonly IndexedTool[], pins).print();
}

const NOTHING: MockTexts = { answers: {}, examples: [], schemas: {} };

export function hasMock({ mock, mocks }: Pick<ServerModel, 'mock' | 'mocks'>): boolean {
  return mock !== undefined || mocks !== undefined;
}

export function printMock({ mock = NOTHING, mocks }: Pick<ServerModel, 'mock' | 'mocks'>): string {
  const members = printMockMembers(mock);
  if (mocks === undefined) return printMembers(members);
  const apis = Object.entries(mocks).map(([api, mock]): [string, string] => [
    api,
    printMembers(printMockMembers(mock)).trimEnd(),
  ]);
  return printMembers([...members, printTextMap('apis', Object.fromEntries(apis))]);
}

function printMockMembers({ answers, examples, schemas }: MockTexts): string[] {
  return [
    printTextMap('answers', answers),
    printList('examples', examples),
    printTextMap('schemas', schemas),
  ];
}

function printTextMap(name: string, texts: Record<string, string>): string {
  const items = Object.entries(texts).map(([key, text]) => `${JSON.stringify(key)}:${text}`);
  return `"${name}":${items.length === 0 ? '{}' : `{\n${items.join(',\n')}\n}`}`;
}

function printWire({ environment, baseUrls, calls, leftOut }: WireCalls): string {
  return printMembers([
    `"environment":${JSON.stringify(environment)}`,
    ...printIfPresent(baseUrls, (urls) => `"baseUrls":${JSON.stringify(urls)}`),
    printItems('calls', calls),
    printMap('leftOut', leftOut),
  ]);
}

/**
 * The layout of all generated data files: one line for each member down to depth 3, without any other whitespace.
 *
 *     {
 *     "tools":[
 *     {
 *     "name":"getPet",
 *     "inputSchema":{…}
 *     },
 *     …
 *     ],
 *     "resources":[],
 *     "completions":true
 *     }
 *
 * A diff shows which member has changed.
 */
function printMembers(members: string[]): string {
  // Members are megabytes: added up, they are copied once, when the file is written.
  return `{\n${members.reduce((text, member) => `${text},\n${member}`)}\n}\n`;
}

function printIfPresent<T>(value: T | undefined, print: (value: T) => string): string[] {
  return value === undefined ? [] : [print(value)];
}

function printList(name: string, items: string[]): string {
  return `"${name}":${items.length === 0 ? '[]' : `[\n${items.join(',\n')}\n]`}`;
}

function printItems(name: string, items: readonly unknown[]): string {
  const texts = items.map((item) => printItem(item));
  return printList(name, texts);
}

function printMap(name: string, entries: [string, unknown][]): string {
  const items = entries.map(([key, value]) => `${JSON.stringify(key)}:${printItem(value)}`);
  return `"${name}":${items.length === 0 ? '{}' : `{\n${items.join(',\n')}\n}`}`;
}

function printItem(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  let members = '';
  for (const [key, member] of Object.entries(value))
    if (member !== undefined)
      members += `${members === '' ? '' : ',\n'}${JSON.stringify(key)}:${JSON.stringify(member)}`;
  return members === '' ? '{}' : `{\n${members}\n}`;
}
