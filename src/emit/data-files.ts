/** The files that are pure data: no template, one stable serializer. */
import type { ToolBinding } from '../../templates/runtime/contract/bindings.ts';
import type {
  ListedPrompt,
  ListedResource,
  ListedResourceTemplate,
  ListedTool,
} from '../../templates/runtime/contract/json-schema.ts';
import { printIndex } from '../../templates/runtime/contract/search-index.ts';
import type { Feature } from '../../templates/runtime/contract/feature.ts';
import type { JsonObject } from '../../templates/runtime/contract/json-schema.ts';
import { FEATURES, type FeatureRow } from '../../templates/runtime/features.ts';
import type { MockTexts, ServerModel, Tool } from '../model/server-model.ts';
import { definedMembers } from '../util/collections.ts';
import { CONFIG_PATH, type EmitOptions } from './emit-options.ts';
import { chooseFeatures, hasApi } from './features.ts';
import type { GeneratedFile } from './generated-file.ts';
import { hashJsonLines } from './hash.ts';
import { listedSchema } from './listed-schema.ts';
import { printJson } from './print-literals.ts';
import { type WireCalls, wireCalls } from './wire/wire-calls.ts';

export async function emitData(model: ServerModel, options: EmitOptions): Promise<GeneratedFile[]> {
  const { config, configOwnership = 'generated' } = options;
  const features = new Set(chooseFeatures(model, options).map(({ name }) => name));
  const files = [
    inLines('src/generated/catalog.json', printCatalog(model)),
    inLines('src/generated/bindings.json', printBindings(model)),
    inLines('src/generated/features.json', printFeatures(features)),
    ...(features.has('mock') && hasMock(model) ? [inLines('src/generated/mock.json', printMock(model))] : []),
    ...(features.has('search') ? [inLines('src/generated/search.json', printSearch(model))] : []),
    ...(!hasApi(model)
      ? []
      : [inLines('test/wire.json', printWire(await wireCalls(model, options.onLeftOut)))]),
  ];
  if (config === undefined) return files;
  return [...files, { ...generated(CONFIG_PATH, configText(config)), ownership: configOwnership }];
}

function configText(config: JsonObject | string): string {
  return typeof config === 'string' ? config : `${printJson(config)}\n`;
}

/** `contents` has the layout of `printMembers`. */
function inLines(path: string, contents: string): GeneratedFile {
  return { ...generated(path, contents), hash: hashJsonLines(contents) };
}

function generated(path: string, contents: string): GeneratedFile {
  return { path, contents, ownership: 'generated' };
}

export function printCatalog(model: ServerModel): string {
  return printMembers([
    printList('tools', model.tools.map(printTool)),
    printList('resources', model.resources.map(printResource)),
    printList('resourceTemplates', model.resourceTemplates.map(printTemplate)),
    printList('prompts', model.prompts.map(printPrompt)),
    `"completions":${String(model.completions.length > 0)}`,
  ]);
}

function printTool(tool: ListedTool): string {
  const { name, title, description, icons, inputSchema, outputSchema, annotations, execution } = tool;
  return printItem({
    name,
    title,
    description,
    icons,
    inputSchema: listedSchema(inputSchema),
    outputSchema: outputSchema && listedSchema(outputSchema),
    annotations,
    execution,
  });
}

function printResource(resource: ListedResource): string {
  const { uri, name, title, description, mimeType, icons, annotations, size } = resource;
  return printItem({ uri, name, title, description, mimeType, icons, annotations, size });
}

function printTemplate(template: ListedResourceTemplate): string {
  const { uriTemplate, name, title, description, mimeType, icons, annotations } = template;
  return printItem({ uriTemplate, name, title, description, mimeType, icons, annotations });
}

function printPrompt(prompt: ListedPrompt): string {
  const { name, title, description, icons, arguments: list } = prompt;
  return printItem({ name, title, description, icons, arguments: list });
}

export function printBindings(model: ServerModel): string {
  const { tools, resources, resourceTemplates, prompts, completions, codecs, started, deselected } = model;
  const { upstream, upstreams, operations } = model;
  return printMembers([
    ...printPresent(upstream, (api) => `"upstream":${JSON.stringify(api)}`),
    ...printPresent(upstreams, (apis) => printList('upstreams', apis.map(printItem))),
    printMap(
      'tools',
      tools.map((tool) => [tool.name, bindTool(tool)]),
    ),
    printMap(
      'resources',
      resources.map(({ uri, binding }) => [uri, binding]),
    ),
    printMap(
      'resourceTemplates',
      resourceTemplates.map(({ uriTemplate, binding }) => [uriTemplate, binding]),
    ),
    printMap(
      'prompts',
      prompts.map(({ name, binding }) => [name, binding]),
    ),
    printList('completions', completions.map(printItem)),
    ...printPresent(codecs, (all) => printMap('codecs', Object.entries(all))),
    ...printPresent(started, (all) => printList('started', all.map(printItem))),
    ...printPresent(operations, (all) => printMap('operations', Object.entries(all))),
    ...printPresent(deselected, (all) =>
      printList(
        'deselected',
        all.map((each) => JSON.stringify(each)),
      ),
    ),
  ]);
}

function bindTool({ binding, prepare, scopes, tags }: Tool): ToolBinding {
  return {
    do: binding,
    ...definedMembers({ prepare }),
    ...(scopes.length === 0 ? {} : { scopes }),
    ...(tags.length === 0 ? {} : { tags }),
  };
}

/** @param present names of the features that the server has; the other rows list only the flags and variables that it refuses */
export function printFeatures(present: ReadonlySet<string>): string {
  const rows = FEATURES.map((row) => (present.has(row.name) ? ownRow(row) : absentRow(row)));
  return printMembers([
    printList(
      'features',
      rows.map((row) => JSON.stringify(row)),
    ),
  ]);
}

function ownRow(row: FeatureRow): object {
  const { flags, variables } = row;
  return { ...commonMembers(row), ...definedMembers({ flags, variables }) };
}

function absentRow(row: FeatureRow): object {
  const { flags, variables } = row;
  const names = Object.entries(flags ?? {}).map(([name, flag]) => [
    name,
    definedMembers({ with: flag.with }),
  ]);
  return {
    ...commonMembers(row),
    ...definedMembers({
      flags: flags && Object.fromEntries(names),
      variables: variables?.map(({ name }) => ({ name })),
    }),
  };
}

function commonMembers({
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
    ...definedMembers({ needs, with: base, addedBy, loadedBy, variablePatterns, missed, isRefused }),
  };
}

export function printSearch({ tools }: Pick<ServerModel, 'tools'>): string {
  return printIndex(
    tools,
    tools.flatMap(({ name, pin }) => (pin === true ? name : [])),
  );
}

const NOTHING: MockTexts = { answers: {}, examples: [], schemas: {} };

export function hasMock({ mock, mocks }: Pick<ServerModel, 'mock' | 'mocks'>): boolean {
  return mock !== undefined || mocks !== undefined;
}

export function printMock({ mock = NOTHING, mocks }: Pick<ServerModel, 'mock' | 'mocks'>): string {
  const members = printMockMembers(mock);
  if (mocks === undefined) return printMembers(members);
  const apis = Object.entries(mocks).map(([api, each]): [string, string] => [
    api,
    printMembers(printMockMembers(each)).trimEnd(),
  ]);
  return printMembers([...members, printTexts('apis', Object.fromEntries(apis))]);
}

function printMockMembers({ answers, examples, schemas }: MockTexts): string[] {
  return [printTexts('answers', answers), printList('examples', examples), printTexts('schemas', schemas)];
}

function printTexts(name: string, texts: Record<string, string>): string {
  const items = Object.entries(texts).map(([key, text]) => `${JSON.stringify(key)}:${text}`);
  return `"${name}":${items.length === 0 ? '{}' : `{\n${items.join(',\n')}\n}`}`;
}

function printWire({ environment, baseUrls, calls, leftOut }: WireCalls): string {
  return printMembers([
    `"environment":${JSON.stringify(environment)}`,
    ...printPresent(baseUrls, (urls) => `"baseUrls":${JSON.stringify(urls)}`),
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

function printPresent<T>(value: T | undefined, print: (value: T) => string): string[] {
  return value === undefined ? [] : [print(value)];
}

function printList(name: string, items: string[]): string {
  return `"${name}":${items.length === 0 ? '[]' : `[\n${items.join(',\n')}\n]`}`;
}

function printMap(name: string, entries: [string, unknown][]): string {
  const items = entries.map(([key, value]) => `${JSON.stringify(key)}:${printItem(value)}`);
  return `"${name}":${items.length === 0 ? '{}' : `{\n${items.join(',\n')}\n}`}`;
}

function printItem(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  const members = Object.entries(value).flatMap(([key, member]) =>
    member === undefined ? [] : [`${JSON.stringify(key)}:${JSON.stringify(member)}`],
  );
  return members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n}`;
}
