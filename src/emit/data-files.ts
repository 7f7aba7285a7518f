/** The files that are pure data: no template, one stable serializer. */
import { createHash } from 'node:crypto';
import type { ResourceBinding, ToolBinding } from '../../templates/runtime/contract/bindings.ts';
import type {
  ListedPrompt,
  ListedResource,
  ListedResourceTemplate,
  ListedTool,
} from '../../templates/runtime/contract/json-schema.ts';
import { DESCRIBE_TOOL, printIndex } from '../../templates/runtime/contract/search-index.ts';
import type { EnvironmentVariable, Feature } from '../../templates/runtime/contract/feature.ts';
import type { JsonSchema } from '../../templates/runtime/contract/json-schema.ts';
import { FEATURES, type FeatureRow } from '../../templates/runtime/features.ts';
import { hasCutSchema } from '../derive/listing-cost.ts';
import { cutInputForListing } from '../derive/schema/cut-schema.ts';
import { toListedSchema } from '../derive/schema/listed-schema.ts';
import type { MockTexts, ServerModel, Tool } from '../model/server-model.ts';
import { collectSharedSchemas, omitSharedDefs } from '../model/shared-schemas.ts';
import { type SkillEntry, type SkillFile, type Skills, filesOfSkill } from '../model/skills.ts';
import { omitUndefined } from '../util/collections.ts';
import { mapWithPauses, runWithPauses, yieldToSignals } from '../util/pauses.ts';
import { listApiVariables } from './api-variables.ts';
import { CONFIG_PATH, type EmitOptions } from './emit-options.ts';
import { chooseFeatures, hasApi } from './features.ts';
import type { GeneratedFile } from './generated-file.ts';
import { hashJsonLines } from './hash.ts';
import { type Write, printPooled } from './pooled-json.ts';
import { type WireCalls, makeWireCalls } from './wire/wire-calls.ts';

/** Lists the names of the files in `src/generated/` that a server reads. */
export function listDataFiles(model: ServerModel, options: EmitOptions): string[] {
  const features = new Set(chooseFeatures(model, options).map(({ name }) => name));
  return [
    'catalog.json',
    'bindings.json',
    'features.json',
    ...(features.has('mock') && hasMock(model) ? ['mock.json'] : []),
    ...(model.skills === undefined ? [] : ['skills.json']),
    ...(features.has('search') ? ['search.json'] : []),
  ];
}

/** @param refuses variable → the feature that reads it and that the server lacks, for a server on the core */
export async function emitDataFiles(
  model: ServerModel,
  options: EmitOptions,
  refuses?: Record<string, string>,
): Promise<GeneratedFile[]> {
  const { config } = options;
  const features = new Set(chooseFeatures(model, options).map(({ name }) => name));
  const { signal } = options;
  await runWithPauses(
    mapWithPauses(model.tools, ({ inputSchema }) => cutInputForListing(inputSchema)),
    signal,
  );
  const catalog = makeDataFile('src/generated/catalog.json', printCatalog(model, options.auth));
  await yieldToSignals(signal);
  const bindings = makeDataFile(
    'src/generated/bindings.json',
    printBindings(model, features.has('mock'), refuses),
  );
  await yieldToSignals(signal);
  const files = [
    catalog,
    bindings,
    ...(refuses === undefined
      ? [makeDataFile('src/generated/features.json', printFeatures(features, model))]
      : []),
    ...(features.has('mock') && hasMock(model)
      ? [makeDataFile('src/generated/mock.json', printMock(model))]
      : []),
    ...(model.skills === undefined
      ? []
      : [makeDataFile('src/generated/skills.json', printSkills(model.skills))]),
    ...(features.has('search') ? [makeDataFile('src/generated/search.json', printSearch(model))] : []),
    ...(!hasApi(model)
      ? []
      : [makeDataFile('test/wire.json', printWire(await makeWireCalls(model, options.onLeftOut, signal)))]),
  ];
  if (config === undefined) return files;
  return [...files, { path: CONFIG_PATH, contents: config, ownership: 'once' }];
}

/** `contents` has the layout of `printMembers`. */
function makeDataFile(path: string, contents: string): GeneratedFile {
  return { path, contents, ownership: 'generated', hash: hashJsonLines(contents) };
}

export function printCatalog(model: ServerModel, auth?: EmitOptions['auth']): string {
  const { tools, resources, resourceTemplates, prompts, completions, skills, readOnly, confirm } = model;
  const guards = omitUndefined({ readOnly, confirm, auth: auth && true });
  const isGuarded = Object.keys(guards).length > 0;
  const isCut = hasCutSchema(tools);
  return printPooled((write) => {
    const printNamedList = (name: string, items: readonly object[]): string =>
      printList(
        name,
        items.map((item) => printItem(item, write)),
      );
    return printMembers([
      printNamedList('tools', (isCut ? [...tools, DESCRIBE_TOOL] : tools).map(toListedTool)),
      printNamedList('resources', [
        ...resources.map(toListedResource),
        ...(skills?.entries ?? []).map(toListedSkill),
      ]),
      printNamedList('resourceTemplates', resourceTemplates.map(toListedTemplate)),
      printNamedList('prompts', prompts.map(toListedPrompt)),
      `"completions":${String(completions.length > 0)}`,
      ...(isCut || isGuarded ? [`"describes":${String(isCut)}`] : []),
      ...(isGuarded ? [`"guards":${JSON.stringify(guards)}`] : []),
    ]);
  });
}

function toListedTool(tool: ListedTool): object {
  const { name, title, description, icons, outputSchema, annotations, execution, _meta } = tool;
  return {
    name,
    title,
    description,
    icons,
    inputSchema: cutInputForListing(tool.inputSchema).schema,
    outputSchema: outputSchema && toListedSchema(outputSchema),
    annotations,
    execution,
    _meta,
  };
}

function toListedResource(resource: ListedResource): object {
  const { uri, name, title, description, mimeType, icons, annotations, size, _meta } = resource;
  return { uri, name, title, description, mimeType, icons, annotations, size, _meta };
}

/** Other files of a skill are not listed: `skills/list` has them. */
function toListedSkill({ uri, frontmatter: { name, description } }: SkillEntry): object {
  return { uri, name, description, mimeType: 'text/markdown' };
}

export function printSkills({ entries, files }: Skills): string {
  const resources = new Map(files.map((file) => [file, digestSkillFile(file)]));
  const listed = entries.map((entry) => ({
    ...entry,
    resources: filesOfSkill(entry, files).map((file) => ({ uri: file.uri, ...resources.get(file) })),
  }));
  return printMembers([
    printList(
      'skills',
      listed.map((item) => printItem(item)),
    ),
    printMap(
      'files',
      files.map(({ uri, ...file }) => [uri, file]),
    ),
  ]);
}

function digestSkillFile(file: SkillFile): { digest: string; size: number } {
  const bytes = 'text' in file ? Buffer.from(file.text) : Buffer.from(file.blob, 'base64');
  return { digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}`, size: bytes.length };
}

function toListedTemplate(template: ListedResourceTemplate): object {
  const { uriTemplate, name, title, description, mimeType, icons, annotations, _meta } = template;
  return { uriTemplate, name, title, description, mimeType, icons, annotations, _meta };
}

function toListedPrompt(prompt: ListedPrompt): object {
  const { name, title, description, icons, arguments: list, _meta } = prompt;
  return { name, title, description, icons, arguments: list, _meta };
}

/** With `samples`, bindings of functions contain the results that mock mode returns. */
export function printBindings(model: ServerModel, samples = true, refuses?: Record<string, string>): string {
  const omitUnwantedSample = (binding: ResourceBinding): ResourceBinding =>
    samples ? binding : omitSample(binding);
  const { tools, resources, resourceTemplates, prompts, completions, codecs, started, deselected } = model;
  const { upstream, upstreams, operations } = model;
  const schemas = collectSharedSchemas(
    tools.map(({ inputSchema }) => inputSchema).filter((schema) => cutInputForListing(schema).isCut),
  );
  return printPooled((write) => {
    const printNamedList = (name: string, items: readonly unknown[]): string =>
      printList(
        name,
        items.map((item) => printItem(item, write)),
      );
    const printEntries = (name: string, entries: [string, unknown][]): string =>
      printMap(name, entries, write);
    return printMembers([
      ...printIfPresent(upstream, (api) => `"upstream":${write(api)}`),
      ...printIfPresent(upstreams, (apis) => printNamedList('upstreams', apis)),
      printEntries(
        'tools',
        tools.map((tool) => [tool.name, bindTool(tool, schemas)]),
      ),
      printEntries(
        'resources',
        resources.map(({ uri, binding }) => [uri, omitUnwantedSample(binding)]),
      ),
      printEntries(
        'resourceTemplates',
        resourceTemplates.map(({ uriTemplate, binding }) => [uriTemplate, omitUnwantedSample(binding)]),
      ),
      printEntries(
        'prompts',
        prompts.map(({ name, binding }) => [name, binding]),
      ),
      printNamedList('completions', completions),
      ...printIfPresent(schemas, (all) => printEntries('schemas', Object.entries(all))),
      ...printIfPresent(codecs, (all) => printEntries('codecs', Object.entries(all))),
      ...printIfPresent(started, (all) => printNamedList('started', all)),
      ...printIfPresent(operations, (all) => printEntries('operations', Object.entries(all))),
      ...printIfPresent(deselected, (all) =>
        printList(
          'deselected',
          all.map((item) => write(item)),
        ),
      ),
      ...printIfPresent(refuses, (all) => `"refuses":${JSON.stringify(all)}`),
    ]);
  });
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
    ...omitUndefined({ prepare }),
    ...(scopes.length === 0 ? {} : { scopes }),
    ...(tags.length === 0 ? {} : { tags }),
    ...omitUndefined({ input }),
  };
}

/**
 * @param present names of the features that the server has; the other rows list only the flags and variables that it refuses
 * @param apis the APIs whose variables the server lists
 */
export function printFeatures(
  present: ReadonlySet<string>,
  apis: Pick<ServerModel, 'upstream' | 'upstreams'>,
): string {
  const variables = listApiVariables(apis).map(toListedVariable);
  const rows = FEATURES.map((row) =>
    present.has(row.name) ? makePresentFeatureRow(row) : makeAbsentFeatureRow(row),
  );
  return printMembers([
    ...(variables.length === 0 ? [] : [printRows('variables', variables)]),
    printRows('features', rows),
  ]);
}

function makePresentFeatureRow(row: FeatureRow): object {
  const { flags } = row;
  const variables = row.variables?.map((variable) => ({
    ...toListedVariable(variable),
    ...omitUndefined({ with: variable.with }),
  }));
  return { ...pickCommonFeatureMembers(row), ...omitUndefined({ flags, variables }) };
}

/** Servers read what `--help` says of a variable. */
function toListedVariable({ name, description, default: preset }: EnvironmentVariable): object {
  return omitUndefined({ name, description, default: preset });
}

function makeAbsentFeatureRow(row: FeatureRow): object {
  const { flags, variables } = row;
  const names = Object.entries(flags ?? {}).map(([name, flag]) => [name, omitUndefined({ with: flag.with })]);
  return {
    ...pickCommonFeatureMembers(row),
    ...omitUndefined({
      flags: flags && Object.fromEntries(names),
      variables: variables?.map(({ name }) => ({ name })),
    }),
  };
}

function pickCommonFeatureMembers({
  name,
  needs,
  with: base,
  addedBy,
  entries,
  ...row
}: FeatureRow): Omit<Feature, 'flags'> {
  const loadedBy = entries.length === 0 ? undefined : entries.map(({ loader }) => loader);
  const { variablePatterns, missed, isRefused } = row;
  return {
    name,
    ...omitUndefined({ needs, with: base, addedBy, loadedBy, variablePatterns, missed, isRefused }),
  };
}

export function printSearch({ tools }: Pick<ServerModel, 'tools'>): string {
  const pins = tools.flatMap(({ name, pin }) => (pin === true ? name : []));
  return printIndex(tools, pins);
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
    printList(
      'calls',
      calls.map((call) => printItem(call)),
    ),
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
 * A diff shows which member has changed, and the runtime answers with the text of a list without parsing it: JSON strings
 * escape their line breaks, so without line breaks a list is one line. `templates/runtime/contract/json-schema.ts` relies on this.
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

function printRows(name: string, rows: readonly object[]): string {
  const lines = rows.map((row) => JSON.stringify(row));
  return printList(name, lines);
}

function printMap(name: string, entries: [string, unknown][], write: Write = JSON.stringify): string {
  const items = entries.map(([key, value]) => `${JSON.stringify(key)}:${printItem(value, write)}`);
  return `"${name}":${items.length === 0 ? '{}' : `{\n${items.join(',\n')}\n}`}`;
}

/** Names are written in full: tests of projects look for them in the file. */
function printItem(value: unknown, write: Write = JSON.stringify): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return write(value);
  let members = '';
  for (const [key, member] of Object.entries(value))
    if (member !== undefined)
      members += `${members === '' ? '' : ',\n'}${JSON.stringify(key)}:${(key === 'name' ? JSON.stringify : write)(member)}`;
  return members === '' ? '{}' : `{\n${members}\n}`;
}
