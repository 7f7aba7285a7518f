// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Makes an instance that can be served, and checks the project's handlers. */
import { readFileSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { DEFAULT_LIMITS, suggestNearest, missingFeatureText, UsageError } from '../contract/feature.ts';
import type { PromptBinding, ResourceBinding } from '../contract/bindings.ts';
import { chooseStrictest } from '../contract/guards.ts';
import { META_KEY_FORM, isValidMetaKey, isRecord, getOwnMember } from '../contract/json-value.ts';
import type { Audit, OpenAudit } from '../core/call.ts';
import { CatalogStore } from '../core/catalog-store.ts';
import {
  type FunctionsRuntime,
  type LiveServer,
  type ServerInstance,
  createServer,
} from '../core/server-instance.ts';
import type { EventBus } from '../core/session.ts';
import type { FunctionModules, ServerDefinition } from '../definition.ts';
import type { FeatureLoaders, NodeState, TraceIds } from '../feature-loaders.ts';
import type { LineWriter } from '../transports/stdio.ts';
import type { FlagValues } from './command-line.ts';
import type { AuditSettings, Environment, Settings } from './settings.ts';

export interface OpenedState {
  shared: NodeState;
  bus: EventBus;
}

/** Loads data and handlers before there is a client, who could do nothing about their faults; callers load the functions. */
export async function openProject(
  definition: ServerDefinition,
  settings: Settings,
  { host, tell, report, watch }: OpenContext,
  predecessor: ServerInstance | undefined,
  audit: Audit | undefined,
  opened?: OpenedState,
): Promise<ServerInstance> {
  const { generated, handlers = {}, functions } = definition;
  const catalog = new CatalogStore(readGenerated(generated, 'catalog.json'), definition.toolNames);
  const guards = chooseStrictest(settings.guards, catalog.guards, {
    readOnly: definition.readOnly,
    confirm: definition.confirm,
  });
  if (guards.auth === true && definition.auth === undefined && settings.transport === 'http')
    throw new UsageError(
      'Callers of this server need a token over HTTP, and the member `auth` of src/server.ts, which checks tokens, is missing. Run `npx --no mcpgen generate`.',
    );
  await refuseUnusableHandlers(handlers, catalog, definition);
  const server = createServer({
    definition,
    catalog,
    readBindings: () => readGenerated(generated, 'bindings.json'),
    env: host.env,
    limits: { ...DEFAULT_LIMITS, ...guards.limits },
    upstreamLimits: settings.upstreamLimits,
    baseUrl: settings.baseUrl,
    filesRoot: settings.filesRoot,
    readMock: settings.mock ? () => readGenerated(generated, 'mock.json') : undefined,
    readSkills: () => readGenerated(generated, 'skills.json'),
    pageSize: settings.pageSize,
    repairs: settings.repairs,
    showsErrors: settings.showsErrors,
    confirms: guards.confirm !== undefined,
    report,
    audit,
    loadModules: functions === undefined || settings.mock ? undefined : createLoader(functions, report),
    isReplaceable: watch !== undefined,
    bus: predecessor?.bus ?? opened?.bus,
    shared: predecessor?.shared ?? opened?.shared,
    state: predecessor?.state,
  });
  if (guards.confirm !== undefined && server.features.ask === undefined)
    throw new UsageError(missingFeatureText('ask'));
  if (guards.selectors.length > 0) {
    const { applySelectors } = await import('./command-line.ts');
    const warnings = applySelectors(catalog, await server.bindings(), guards.selectors, settings.selectors);
    for (const words of warnings) tell(`warning: ${words}`);
  }
  if (guards.readOnly === true) {
    await restrictToReadOnly(server);
    const lists = ['tools', 'resources', 'resourceTemplates', 'prompts'] as const;
    if (lists.every((list) => catalog.keys(list).length === 0))
      tell('warning: --read-only leaves nothing to serve: no tool that is left says readOnlyHint.');
  }
  if (catalog.describes || settings.surfaces.some((name) => name !== 'tools')) {
    const { search } = server.features;
    if (search === undefined) throw new UsageError(missingFeatureText('search'));
    server.surface = (await search()).openSurface(
      server,
      settings.surfaces,
      readGenerated(generated, 'search.json'),
      settings.pins.length === 0 ? [] : await findPinnedTools(server, settings, tell),
    );
  }
  return server;
}

async function findPinnedTools(
  { catalog, bindings }: ServerInstance,
  settings: Settings,
  tell: (words: string) => void,
): Promise<string[]> {
  const { selectPinnedTools } = await import('./command-line.ts');
  const { names, words } = selectPinnedTools(catalog, await bindings(), settings);
  for (const each of words) tell(`warning: ${each}`);
  return names;
}

/** `--read-only`: serves tools that say `readOnlyHint`. Resources and prompts of other tools, or their functions, are left out. */
export async function restrictToReadOnly({ catalog, bindings }: ServerInstance): Promise<void> {
  catalog.hideWritingTools();
  const readers = new Set(catalog.keys('tools'));
  const { tools, resources, resourceTemplates: templates, prompts } = await bindings();
  const left = Object.keys(tools).filter((name) => !readers.has(name));
  const writers = new Set(left.map((name) => makeFunctionKey(tools[name]?.do)));
  const isReadOnly = (binding?: ResourceBinding['do'] | PromptBinding): boolean =>
    binding?.kind === 'tool' ? readers.has(binding.name) : !writers.has(makeFunctionKey(binding) ?? '');
  const isKept = (bound: Record<string, ResourceBinding>, uri: string): boolean =>
    isReadOnly(getOwnMember(bound, uri)?.do);
  catalog.changeItems('resources', (all) => all.filter(({ uri }) => isKept(resources, uri)));
  catalog.changeItems('resourceTemplates', (all) => all.filter((one) => isKept(templates, one.uriTemplate)));
  catalog.changeItems('prompts', (all) => all.filter(({ name }) => isReadOnly(getOwnMember(prompts, name))));
}

function makeFunctionKey(binding?: ResourceBinding['do'] | PromptBinding): string | undefined {
  return binding?.kind === 'function' ? [binding.module, binding.export, binding.method].join() : undefined;
}

function createLoader(
  { runtime, modules }: FunctionModules,
  report: (thrown: unknown) => void,
): () => Promise<void> {
  let loading: Promise<void> | undefined;
  const loadModules = async (): Promise<void> =>
    ((await runtime()) as FunctionsRuntime).loadModules(modules, report);
  return async () => (loading ??= loadModules());
}

const KINDS = {
  'a function': (value: unknown) => typeof value === 'function',
  'an object': isRecord,
  'an array': Array.isArray,
  'a string': (value: unknown) => typeof value === 'string',
  'a number of bytes': (value: unknown) => typeof value === 'number',
};

type Members = Readonly<Record<string, keyof typeof KINDS>>;

const HANDLERS: Members = {
  beforeRequest: 'a function',
  afterResponse: 'a function',
  tools: 'an object',
  extraTools: 'an array',
  prompts: 'an object',
  resources: 'an object',
  resourceTemplates: 'an object',
  completions: 'an object',
  started: 'a function',
  verifyToken: 'a function',
  upstreamCredentials: 'a function',
};

export const TEXTS: Members = {
  title: 'a string',
  description: 'a string',
  mimeType: 'a string',
  _meta: 'an object',
};

/**
 * Refuses handlers of a wrong kind or of no listed item, which would be ignored in silence: types prove neither for JavaScript, nor for
 * code that is older than the document.
 * @throws {UsageError} with a line for each fault
 */
export async function refuseUnusableHandlers(
  handlers: unknown,
  catalog: CatalogStore,
  { auth, features }: Pick<ServerDefinition, 'auth' | 'features'> = {},
): Promise<void> {
  const faults: string[] = [];
  for await (const fault of findHandlerFaults(handlers, catalog, features)) faults.push(fault);
  if (isRecord(handlers) && auth === undefined) faults.push(...authFaults(handlers));
  if (faults.length === 0) return;
  throw new UsageError(
    `The code in src/handlers/ can't be used:\n${faults.map((one) => `- ${one}`).join('\n')}`,
  );
}

/** The checks of items are loaded only if there are such items, since each module delays the start. */
async function* findHandlerFaults(
  handlers: unknown,
  catalog: CatalogStore,
  features: FeatureLoaders | undefined,
): AsyncGenerator<string> {
  if (!isRecord(handlers)) return yield '`handlers` must be an object.';
  for (const [name, value] of Object.entries(handlers)) {
    const kind = Object.hasOwn(HANDLERS, name) ? HANDLERS[name] : undefined;
    if (kind === undefined)
      yield unknownMemberText(`\`${name}\``, 'member of `handlers`', name, Object.keys(HANDLERS));
    else if (value !== undefined && !KINDS[kind](value)) yield `\`${name}\` must be ${kind}.`;
  }
  const { tools, extraTools, prompts, resources, resourceTemplates, completions } = handlers;
  if (listEntries(tools).length > 0) {
    const names = catalog.keys('tools');
    yield* functionFaults(tools, names, 'tool of the document', (name) => formatMember('tools', name));
  }
  if (extraTools !== undefined)
    yield* (await import('./own-code.ts')).extraToolFaults(extraTools, catalog, features);
  if ([prompts, resources, resourceTemplates, completions].every((items) => items === undefined)) return;
  await features?.uriTemplates?.();
  const { promptFaults, resourceFaults, templateFaults, completionFaults } = await import('./own-code.ts');
  yield* promptFaults(prompts);
  yield* resourceFaults(resources);
  yield* templateFaults(resourceTemplates);
  yield* completionFaults(handlers, catalog);
}

/** Reports handlers for OAuth in a project without it, since they would never be called. */
function* authFaults(handlers: Record<string, unknown>): Generator<string> {
  for (const name of ['verifyToken', 'upstreamCredentials'])
    if (handlers[name] !== undefined)
      yield `\`${name}\` goes with OAuth, and this server asks nobody who they are: compile it with --auth oauth.`;
}

export function* kindFaults(place: string, item: Record<string, unknown>, kinds: Members): Generator<string> {
  for (const [name, kind] of Object.entries(kinds))
    if (item[name] !== undefined && !KINDS[kind](item[name])) yield `${place}: \`${name}\` must be ${kind}.`;
  for (const key of isRecord(item['_meta']) ? Object.keys(item['_meta']) : [])
    if (!isValidMetaKey(key))
      yield `${place}: the key ${JSON.stringify(key)} of \`_meta\` must be ${META_KEY_FORM}.`;
}

export function* functionFaults(
  functions: unknown,
  known: readonly string[],
  what: string,
  toPlace: (name: string) => string,
): Generator<string> {
  for (const [name, value] of listEntries(functions)) {
    if (!known.includes(name)) yield unknownMemberText(toPlace(name), what, name, known);
    else if (value !== undefined && typeof value !== 'function') yield `${toPlace(name)} must be a function.`;
  }
}

export function listEntries(value: unknown): [name: string, member: unknown][] {
  return isRecord(value) ? Object.entries(value) : [];
}

export function formatMember(member: string, key: string): string {
  return `\`${member}[${JSON.stringify(key)}]\``;
}

export function unknownMemberText(
  place: string,
  what: string,
  name: string,
  known: Iterable<string>,
): string {
  const meant = suggestNearest(name, known);
  return `${place}: there is no such ${what}.${meant === undefined ? '' : ` Did you mean ${JSON.stringify(meant)}?`}`;
}

/** Gets the server before its first message is read. `open` makes the instance that replaces `predecessor`. */
export type Watch = (
  live: LiveServer,
  open: (definition: ServerDefinition, predecessor: ServerInstance) => Promise<ServerInstance>,
) => void;

export interface AuditFeature {
  readAuditSettings(flags: FlagValues, env: Environment): AuditSettings | undefined;
  openAudit(
    settings: AuditSettings,
    server: string,
    to: { env: Environment; stderr: Writable; report: (thrown: unknown) => void },
  ): Promise<OpenAudit>;
}

export interface WatchOptions {
  info: ServerDefinition['info'];
  isHttp: boolean;
  env: Environment;
  tell: (words: string) => void;
  /** Whether lines of the log have the trace of the call that wrote them. */
  isTracedLog: boolean;
}

/**
 * Opens metrics or traces.
 * @param inner watches the same requests
 * @throws {UsageError} naming the variable whose value can't be used
 */
export type OpenWatch = (options: WatchOptions, inner: OpenAudit | undefined) => Promise<OpenAudit>;

export interface OpenContext {
  host: { env: Environment; stderr: Writable };
  tell: (words: string) => void;
  report: (thrown: unknown) => void;
  watch?: Watch | undefined;
  jsonLog?: JsonLog | undefined;
}

export interface ProcessContext extends OpenContext {
  host: NodeJS.Process;
  writer: LineWriter;
  tellUnread: () => Promise<void>;
}

export interface JsonLog {
  trace: (() => TraceIds | undefined) | undefined;
}

const LEVELLED = /^(?:(debug|info|notice|warning|error|critical|alert|emergency): )?(.*)$/s;

/** From now on each text that anything in the process writes to stderr becomes a JSON object on its own line. */
export function redirectStderrToJson(host: NodeJS.Process, server: () => string): JsonLog {
  const { stderr } = host;
  const log: JsonLog = { trace: undefined };
  const write = stderr.write.bind(stderr) as (text: string, ...rest: unknown[]) => boolean;
  const toJsonLogLine = (text: string): string => {
    const name = server();
    const own = text.startsWith(`${name}: `) ? text.slice(name.length + 2) : text;
    const [, level = 'info', message] = LEVELLED.exec(own.trimEnd()) ?? [];
    const { traceId, spanId } = log.trace?.() ?? {};
    const time = new Date().toISOString();
    return `${JSON.stringify({ time, level, server: name, message, trace_id: traceId, span_id: spanId })}\n`;
  };
  const writeJsonLine = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    if (text.trim() === '') return true;
    return write(isJsonLines(text) ? text : toJsonLogLine(text), ...rest);
  };
  stderr.write = writeJsonLine as typeof stderr.write;
  // Node itself writes warnings past the stream.
  host.removeAllListeners('warning');
  host.on('warning', ({ name, message }) => writeJsonLine(`warning: ${name}: ${message}`));
  return log;
}

/** Lines of the audit log, and of loggers that write JSON, stay as they are. */
function isJsonLines(text: string): boolean {
  if (!text.startsWith('{')) return false;
  try {
    return text
      .trimEnd()
      .split('\n')
      .every((line) => line.startsWith('{') && isRecord(JSON.parse(line)));
  } catch {
    return false;
  }
}

export function readGenerated(
  from: ServerDefinition['generated'],
  name: `${'catalog' | 'bindings' | 'features' | 'mock' | 'search' | 'skills'}.json`,
): string {
  try {
    if (from instanceof URL) return readFileSync(new URL(name, from), 'utf8');
    const text = from[name];
    if (text === undefined) throw new Error(`There is no ${name}.`);
    return text;
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw new Error(`The server's data can't be read, so there is nothing to serve. ${reason}`, {
      cause: thrown,
    });
  }
}

/** The stack names the place in the user's code, for the log alone. */
export function formatStack(thrown: unknown): string {
  try {
    return mapStackToSources(String(thrown instanceof Error ? (thrown.stack ?? thrown.message) : thrown));
  } catch {
    return 'Something was thrown that has no text.';
  }
}

/** Node maps the stacks of one thread: those of the user's workers still name the built files. */
function mapStackToSources(stack: string): string {
  return stack.replace(/(file:\/\/[^\s()]+\.[cm]?js):(\d+):(\d+)/g, (frame, file: string, line, column) => {
    try {
      return findSourcePosition(file, Number(line), Number(column)) ?? frame;
    } catch {
      return frame;
    }
  });
}

function findSourcePosition(file: string, line: number, column: number): string | undefined {
  // The runtime has no maps.
  if (file.startsWith(new URL('.', import.meta.url).href)) return undefined;
  const [, url] = /\/\/# sourceMappingURL=(\S+)\s*$/.exec(readFileSync(new URL(file), 'utf8')) ?? [];
  if (url === undefined) return undefined;
  const [, inline] = /^data:application\/json;base64,(.*)$/.exec(url) ?? [];
  const text =
    inline === undefined ? readFileSync(new URL(url, file), 'utf8') : Buffer.from(inline, 'base64');
  // A static import would keep the server from runtimes without it.
  const { SourceMap } = process.getBuiltinModule('node:module');
  const found = new SourceMap(JSON.parse(text.toString())).findEntry(line - 1, column - 1);
  if (!('originalSource' in found)) return undefined;
  const { originalSource, originalLine, originalColumn } = found;
  return `${new URL(originalSource, file).href}:${originalLine + 1}:${originalColumn + 1}`;
}
