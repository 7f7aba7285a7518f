// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The command line of a server: flags, features and variables, `--help`, `--include` and `--exclude`. */
import type { Binding, Bindings, ResourceBinding, Selectable as Item } from '../contract/bindings.ts';
import type { Selectors } from '../contract/guards.ts';
import { getOwnMember } from '../contract/json-value.ts';
import { SURFACE_TOOLS } from '../contract/json-schema.ts';
import {
  type EnvironmentVariable,
  type Feature,
  type FlagDefinition,
  type ServerFeatures,
  compileGlob,
  suggestNearest,
  describeMisspeltVariables,
  listFeatureVariables,
  missingFeatureText,
  UsageError,
} from '../contract/feature.ts';
import type { CatalogStore } from '../core/catalog-store.ts';
import type { ServerDefinition } from '../definition.ts';
import { readGenerated } from './open-project.ts';
import type { Environment, Settings } from './settings.ts';

/** A switch has the value `true`. */
export type FlagValues = ReadonlyMap<string, readonly string[]>;

export function availableFlags({ rows, present }: ServerFeatures): Readonly<Record<string, FlagDefinition>> {
  const flags = rows
    .filter(({ name }) => present.has(name))
    .flatMap((row) => Object.entries(row.flags ?? {}))
    .filter(([, flag]) => flag.with === undefined || present.has(flag.with))
    .map(([name, flag]) => [
      name,
      present.has('api') ? flag : { ...flag, help: flag.withoutApi ?? flag.help },
    ]);
  return Object.fromEntries(flags) as Record<string, FlagDefinition>;
}

/** Reads `--name value`, `--name=value` and `-h`. @throws {UsageError} on anything else. */
export function parseFlags(args: readonly string[], definition: FeatureParts): FlagValues {
  const features = readFeatures(definition);
  const flags = availableFlags(features);
  const values = new Map<string, string[]>();
  for (let index = 0; index < args.length; index++) {
    const argument = args[index] ?? '';
    const [name, inline] = splitFlag(argument);
    const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
    if (flag === undefined) throw unknownFlagError(argument, name, flags, features);
    if (flag.value === undefined && inline !== undefined) throw new UsageError(`--${name} takes no value.`);
    const value = flag.value === undefined ? 'true' : (inline ?? args[++index]);
    if (value === undefined || value === '')
      throw new UsageError(`--${name} needs a value, as in --${name} ${flag.example}. See --help.`);
    const known = values.get(name) ?? [];
    if (known.length > 0 && flag.repeatable !== true) throw new UsageError(`--${name} is given twice.`);
    values.set(name, [...known, value]);
  }
  if ((values.get('transport')?.[0] ?? 'stdio') === 'stdio') refuseHttpFlags(values, features);
  return values;
}

/** Flags of HTTP and of the features that need it. `PORT` is accepted on stdio, since it may be set for other programs. */
function refuseHttpFlags(flags: FlagValues, { rows }: ServerFeatures): void {
  for (const { name: feature, needs = [], flags: own = {} } of rows) {
    const isHttp = feature === 'http' || needs.includes('http');
    const name = Object.keys(own).find((each) => flags.has(each) && (isHttp || own[each]?.with === 'http'));
    if (name !== undefined) throw new UsageError(`--${name} goes with HTTP: give --transport http as well.`);
  }
}

function splitFlag(argument: string): [name: string, value: string | undefined] {
  if (argument === '-h') return ['help', undefined];
  const [, name = '', value] = /^--([^=]*)(?:=(.*))?$/s.exec(argument) ?? [];
  return [name, value];
}

const MEANT: Readonly<Record<string, string>> = { http: 'transport http', stdio: 'transport stdio' };

function unknownFlagError(
  argument: string,
  name: string,
  flags: Readonly<Record<string, FlagDefinition>>,
  features: ServerFeatures,
): UsageError {
  const absent = features.rows.find((each) => Object.hasOwn(each.flags ?? {}, name));
  if (absent !== undefined)
    return new UsageError(
      explainMissingFeature(absent, getOwnMember(absent.flags ?? {}, name)?.with, features),
    );
  const bare = argument.replace(/^-*/, '').replace(/=.*$/s, '');
  const meant = Object.hasOwn(MEANT, bare) ? MEANT[bare] : suggestNearest(bare, Object.keys(flags));
  return new UsageError(
    `${name === '' ? `Unexpected argument: ${argument}` : `Unknown option: --${name}`}.` +
      (meant === undefined ? ' See --help.' : ` Did you mean --${meant}?`),
  );
}

export type FeatureParts = Pick<ServerDefinition, 'features' | 'functions' | 'auth' | 'hasApi' | 'generated'>;

interface FeaturesFile {
  variables?: EnvironmentVariable[];
  features: Feature[];
}

export function readFeatures(definition: FeatureParts): ServerFeatures {
  const { features = {}, hasApi = true, generated } = definition;
  const { features: rows, variables: ofApis = [] } = JSON.parse(
    readGenerated(generated, 'features.json'),
  ) as FeaturesFile;
  const members: Readonly<Record<string, unknown>> = { ...features, ...definition };
  const isFeaturePresent = ({ name, loadedBy }: Feature): boolean =>
    (name !== 'api' || hasApi) && (loadedBy?.some((member) => members[member] !== undefined) ?? true);
  return { rows, present: new Set(rows.filter(isFeaturePresent).map(({ name }) => name)), ofApis };
}

export function explainMissingFeature(
  feature: Feature,
  other: string | undefined,
  { rows, present }: ServerFeatures,
): string {
  // A server without an API can't use a part of its client.
  const lacksBase = feature.with !== undefined && !present.has(feature.with);
  const missing = lacksBase ? feature.with : present.has(feature.name) ? other : undefined;
  const absent = rows.find(({ name }) => name === missing) ?? feature;
  return missingFeatureText(absent.name, absent.addedBy);
}

/**
 * Looks for variables of features that the server was generated without, and for misspelt names that begin with MCP_. Names
 * that begin with neither MCP_ nor API_ may be set for other programs, so of them only those in `missed` count, where
 * requests are sent.
 * @returns warnings, and the environment without the variables of missing features
 * @throws {UsageError} if a variable concerns safety or state
 */
export function checkFeatureVariables(
  definition: FeatureParts,
  env: Environment,
  flags: FlagValues,
): { warnings: string[]; env: Environment } {
  const features = readFeatures(definition);
  const { present } = features;
  const isHttp = flags.get('transport')?.[0] === 'http';
  const sends = present.has('api') || (present.has('oauth') && isHttp);
  const set = Object.entries(env).flatMap(([name, value]) => (value ? [{ name, value }] : []));
  const read = new Set(listFeatureVariables(features).map(({ name }) => name));
  const found = set.flatMap(({ name, value }) => {
    const feature = read.has(name)
      ? undefined
      : features.rows.find((row) => isOfMissingFeature(row, name, present, sends));
    if (feature === undefined) return [];
    const other = feature.variables?.find((each) => each.name === name)?.with;
    const line = explainMissingFeature(feature, other, features);
    if (feature.isRefused === true && value !== '0') throw new UsageError(`${name} is set. ${line}`);
    return [{ name, value, line }];
  });
  const ignored = found.filter(({ value }) => value !== '0');
  const lines = [...new Set(ignored.map(({ line }) => line))].join(' ');
  const ofRows = features.rows.flatMap(({ variables = [] }) => variables.map(({ name }) => name));
  const unread = set.filter(({ name }) => name.startsWith('MCP_AUTH_') && present.has('oauth') && !isHttp);
  const listNames = (names: readonly { name: string }[]): string => names.map(({ name }) => name).join(', ');
  const warnings = [
    ...describeMisspeltVariables(env, new Set([...read, ...ofRows])),
    ...(ignored.length > 0 ? [`ignored: ${listNames(ignored)}. ${lines}`] : []),
    ...(unread.length > 0
      ? [`ignored on stdio: ${listNames(unread)}. Tokens are checked over HTTP only (--transport http).`]
      : []),
  ];
  return { warnings, env: { ...env, ...Object.fromEntries(found.map(({ name }) => [name, undefined])) } };
}

/** Whether a variable belongs to a feature, and the server lacks the feature, or another that the variable needs. */
function isOfMissingFeature(
  { name: feature, variables = [], variablePatterns = [], missed = [] }: Feature,
  name: string,
  present: ReadonlySet<string>,
  sends: boolean,
): boolean {
  const isOwn = /^(?:MCP|API)_/.test(name);
  const listed = isOwn ? variables.find((each) => each.name === name) : undefined;
  if (present.has(feature)) return listed?.with !== undefined && !present.has(listed.with);
  if (!isOwn) return sends && missed.includes(name.toUpperCase());
  return listed !== undefined || variablePatterns.some((glob) => compileGlob(glob)(name));
}

const WIDTH = 100;

export function helpText(server: ServerDefinition): string {
  const { name, title, version } = server.info;
  const features = readFeatures(server);
  const flags = Object.entries(availableFlags(features)).map(([flag, { value, help, repeatable }]): Row => [
    `--${flag}${value === undefined ? '' : ` <${value}>`}`,
    `${help}${repeatable === true ? ' (repeatable)' : ''}`,
  ]);
  const variables = listFeatureVariables(features).map((one): Row => [
    one.name,
    `${one.description}${one.default === undefined ? '' : ` Default: ${one.default}`}`,
  ]);
  return `${title ?? name} ${version}, an MCP server

Examples:
  ${name}                                 speak MCP on stdin and stdout: what clients start
${features.present.has('http') ? `  ${name} --transport http --port 8080    serve http://127.0.0.1:8080/mcp\n` : ''}  ${name} --include 'op:get*'             only the tools whose names begin with get

Usage: ${name} [options]

Options:
${renderTable(flags)}

Environment, also read from .env beside package.json or the file of --dotenv (the environment wins):
${renderTable(variables)}

Exit codes: 0 fine, 1 the server failed, 2 the command line, the environment or src/handlers/ can't be used.`;
}

type Row = [left: string, right: string];

function renderTable(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  const gap = `\n${' '.repeat(width + 4)}`;
  return rows
    .map(([left, right]) => `  ${left.padEnd(width)}  ${wrapText(right, WIDTH - width).join(gap)}`)
    .join('\n');
}

function wrapText(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}

const KINDS = ['tag', 'path', 'op', 'method'] as const;
type Kind = (typeof KINDS)[number];

interface Selector {
  text: string;
  kind: Kind;
  value: string;
  matches: (item: Item) => boolean;
}

/**
 * Selects items as the compiler does: `tag:` exact, `path:` glob (`*` within a segment, `**` anything), `op:` glob on the
 * item's name or the document's operationId, `method:`. Repeats of one kind of include are alternatives, kinds must all match;
 * what any exclude matches is out; each statement must let an item through. A resource stays if the tool that reads it does.
 * @returns warnings: of selectors that match no operation of the source, not even one that was left out when compiling
 * @throws {UsageError} if a selector can't be read; unless lenient, if one names what doesn't exist or nothing is left to serve
 */
export function applySelectors(
  catalog: CatalogStore,
  bindings: Bindings,
  statements: readonly Selectors[],
  mode: Settings['selectors'],
): string[] {
  const parsed = statements.map(({ include, exclude }) => ({
    wanted: include.map(parseSelector),
    unwanted: exclude.map(parseSelector),
  }));
  const { deselected = [] } = bindings;
  const known = [...deselected];
  let isAnyLeft = false;
  filterCatalog(catalog, bindings, (item) => {
    known.push(item);
    const stays = parsed.every(
      ({ wanted, unwanted }) =>
        matchesAllSelectors(wanted, item) && !unwanted.some(({ matches }) => matches(item)),
    );
    isAnyLeft ||= stays;
    return stays;
  });
  const all = parsed.flatMap(({ wanted, unwanted }) => [...wanted, ...unwanted]);
  const idle = all.filter((selector) => !known.some(selector.matches));
  const words = idle.map((selector) => describeUnmatchedSelector(selector, known));
  const included = parsed.flatMap(({ wanted }) => wanted);
  if (!isAnyLeft) words.unshift(describeEmptySelection(included, deselected));
  return warnOrRefuse(words, mode === 'lenient' || (isAnyLeft && !idle.some(isExactSelector)));
}

/** The tools that `--pin` lists beside those that search, and warnings. @throws {UsageError} as `applySelectors` */
export function selectPinnedTools(
  catalog: CatalogStore,
  { tools }: Bindings,
  { pins, selectors }: Pick<Settings, 'pins' | 'selectors'>,
): { names: string[]; words: string[] } {
  const wanted = pins.map(parseSelector);
  const served = new Set(catalog.keys('tools'));
  // A pinned tool may be left out by `--read-only`, `--include` or `--exclude`.
  const names = [...new Set([...Object.keys(tools), ...served])];
  const items = names.map((name) => ({ name, ...toSelectableTool(tools, name) }));
  const idle = wanted.filter((selector) => !items.some(selector.matches));
  const words = idle.map((selector) => describeUnmatchedSelector(selector, items));
  const pinned = items.filter((item) => served.has(item.name) && wanted.some(({ matches }) => matches(item)));
  const isWarning = selectors === 'lenient' || !idle.some(isExactSelector);
  return { names: pinned.map(({ name }) => name), words: warnOrRefuse(words, isWarning) };
}

function warnOrRefuse(words: string[], isWarning: boolean): string[] {
  if (isWarning) return words;
  throw new UsageError([...words, 'MCP_SELECTORS=lenient makes this a warning.'].join(' '));
}

/** A glob, or a method, may be meant for operations that come later. */
function isExactSelector({ kind, value }: Selector): boolean {
  return kind === 'tag' || (kind !== 'method' && !value.includes('*'));
}

function describeEmptySelection(wanted: readonly Selector[], deselected: readonly Item[]): string {
  const isLeftOut = wanted.length > 0 && deselected.some((item) => matchesAllSelectors(wanted, item));
  const words =
    '--include and --exclude leave nothing to serve. Kinds of include must all match, and exclude wins.';
  return isLeftOut
    ? `${words} The operations that they include were left out when the server was generated.`
    : words;
}

function filterCatalog(catalog: CatalogStore, bindings: Bindings, stays: (item: Item) => boolean): void {
  const { tools, resources, resourceTemplates } = bindings;
  const toolItem = (name: string): Item => toSelectableTool(tools, name);
  const makeResourceItem = (name: string, binding: ResourceBinding | undefined): Item =>
    binding?.do.kind === 'tool' ? toolItem(binding.do.name) : toSelectable(name, binding?.do, binding?.tags);
  catalog.changeItems('tools', (listed) =>
    listed.filter(({ name }) => SURFACE_TOOLS.includes(name) || stays(toolItem(name))),
  );
  catalog.changeItems('resources', (listed) =>
    listed.filter(({ name, uri }) => stays(makeResourceItem(name, getOwnMember(resources, uri)))),
  );
  catalog.changeItems('resourceTemplates', (listed) =>
    listed.filter(({ name, uriTemplate }) =>
      stays(makeResourceItem(name, getOwnMember(resourceTemplates, uriTemplate))),
    ),
  );
}

function toSelectableTool(tools: Bindings['tools'], name: string): Item {
  const binding = getOwnMember(tools, name);
  return toSelectable(name, binding?.do, binding?.tags);
}

function toSelectable(name: string, binding: Binding | undefined, tags: readonly string[] = []): Item {
  if (binding?.kind !== 'http') return { op: [name], tag: tags, path: [], method: [] };
  const { operationId, method, path } = binding;
  const op = operationId === undefined ? [name] : [name, operationId];
  return { op, tag: tags, path: [path], method: [method] };
}

function matchesAllSelectors(selectors: readonly Selector[], item: Item): boolean {
  return KINDS.every((kind) => {
    const alternatives = selectors.filter((selector) => selector.kind === kind);
    return alternatives.length === 0 || alternatives.some(({ matches }) => matches(item));
  });
}

function describeUnmatchedSelector({ text, kind, value }: Selector, items: readonly Item[]): string {
  const near = suggestNearest(value, new Set(items.flatMap((item) => item[kind])));
  return `The selector ${JSON.stringify(text)} matches nothing.${near === undefined ? '' : ` Did you mean ${kind}:${near}?`}`;
}

function parseSelector(text: string): Selector {
  const colon = text.indexOf(':');
  const kind = KINDS.find((each) => each === text.slice(0, Math.max(0, colon)).trim());
  const value = text.slice(colon + 1).trim();
  if (kind !== undefined && value !== '') {
    const test = compileSelectorTest(kind, value);
    return { text, kind, value, matches: (item) => item[kind].some(test) };
  }
  throw new UsageError(
    `The selector ${JSON.stringify(text)} must be one of tag:, path:, op:, method: and a value.`,
  );
}

function compileSelectorTest(kind: Kind, value: string): (text: string) => boolean {
  if (kind === 'tag') return (tag) => tag === value;
  if (kind === 'method') return (method) => method.toUpperCase() === value.toUpperCase();
  if (kind === 'op') return compileGlob(value.replace(/\*+/g, '**'));
  return compileGlob(/^[/*]/.test(value) ? value : `/${value}`);
}
