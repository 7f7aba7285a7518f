// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Makes handlers of the functions that a server's bindings name. */
import type { FunctionBinding, ResourceBinding } from '../contract/bindings.ts';
import { missingFeatureText } from '../contract/feature.ts';
import type { JsonSchema, ListedResource, ObjectSchema } from '../contract/json-schema.ts';
import { getOwnMember } from '../contract/json-value.ts';
import { type Call, toProtocolError } from '../core/call.ts';
import { CallContext } from '../core/call-context.ts';
import { findUserRefusal, getToolEntries, mustConfirm } from '../core/call-tool.ts';
import { matchVariables, variablesToArguments } from '../core/resources.ts';
import type { FunctionsRuntime, ServerInstance, ToolEntry } from '../core/server-instance.ts';
import type { FunctionModules } from '../definition.ts';
import type { FeatureLoaders } from '../feature-loaders.ts';
import { formatStack } from '../main/open-project.ts';
import { INTERNAL_ERROR, ProtocolError, ToolError } from '../protocol/json-rpc.ts';
import { compileSchema } from '../schema/compile-schema.ts';
import type { BoundFunctions, MockFunctions, ResourceLister } from './bound-functions.ts';
import { openFunctions } from './open-functions.ts';

export { openFunctions };

interface MockLoader extends FeatureLoaders {
  mockFunctions?: () => Promise<{ mockFunctions: MockFunctions }>;
}

/** All modules load before the first call, in their order: what one sets up, a function of another may need. */
async function loadFunctions(server: ServerInstance): Promise<BoundFunctions> {
  await server.loadModules?.().catch(() => {
    // The server ends, and says why.
    throw new ProtocolError(INTERNAL_ERROR, "The functions can't be loaded. The log of the server says why.");
  });
  const { cache } = server;
  return (cache.functions ??= openFunctionModules(server)) as Promise<BoundFunctions>;
}

async function openFunctionModules(server: ServerInstance): Promise<BoundFunctions> {
  const { functions, bindings, report, showsErrors, readMock } = server;
  const data = await bindings();
  const open = (modules: FunctionModules['modules']): BoundFunctions =>
    openFunctions(modules, data, report, showsErrors);
  if (readMock === undefined) return open(functions?.modules ?? {});
  const { mockFunctions } = server.features as MockLoader;
  if (mockFunctions === undefined) throw new Error(missingFeatureText('mock'));
  const outputSchemaOf = (tool: string): ObjectSchema | undefined =>
    getToolEntries(server).findToolEntry(tool)?.listed.outputSchema;
  return (await mockFunctions()).mockFunctions(open, outputSchemaOf);
}

export const bindTool: FunctionsRuntime['bindTool'] = async (server, binding, name) =>
  (await loadFunctions(server)).bindTool(binding, name);

export const bindCompletion: FunctionsRuntime['bindCompletion'] = async (server, binding) =>
  (await loadFunctions(server)).bindCompletion(binding);

export async function bindPreparer(
  server: ServerInstance,
  { listed: { name } }: ToolEntry,
): Promise<ToolEntry['prepare']> {
  const binding = getOwnMember((await server.bindings()).tools, name)?.prepare;
  return binding && (await loadFunctions(server)).bindPrepare(binding, name);
}

export const bindReader: FunctionsRuntime['bindReader'] = async (call, binding, args) => {
  const read = await (await loadFunctions(call.server)).bindResource(binding, args);
  return async (...given) => {
    await requireUserConfirmation(call, binding, args);
    return read(...given);
  };
};

export const bindPrompt: FunctionsRuntime['bindPrompt'] = async (call, binding, name) => {
  const work = await (await loadFunctions(call.server)).bindPrompt(binding, name);
  return async (args, context) => {
    await requireUserConfirmation(call, binding, args);
    return work(args, context);
  };
};

/** Asks before a resource or prompt runs a function that is a tool too. @throws {ToolError} unless the user confirms */
async function requireUserConfirmation(
  call: Call,
  binding: FunctionBinding,
  args: Record<string, unknown>,
): Promise<void> {
  const { server } = call;
  if (server.confirms !== true) return;
  const { tools } = await server.bindings();
  for (const [name, { do: other }] of Object.entries(tools)) {
    const members = ['module', 'export', 'method'] as const;
    if (other.kind !== 'function' || members.some((each) => other[each] !== binding[each])) continue;
    const listed = getToolEntries(server).findToolEntry(name)?.listed;
    if (listed === undefined || !mustConfirm(server, listed)) continue;
    const refusal = await findUserRefusal(server, listed, args, new CallContext(call));
    if (refusal !== undefined) throw new ToolError(refusal);
    return;
  }
}

export function isValidBesideChecks(
  input: ObjectSchema,
  args: Record<string, unknown>,
  { checks = [], properties: names = {} }: FunctionBinding,
): boolean {
  const isCheckedByLibrary = (name: string): boolean =>
    checks.some(({ argument }) => argument === (getOwnMember(names, name) ?? name));
  if (checks.some(({ argument }) => argument === undefined)) return true;
  const properties: Record<string, JsonSchema> = { ...input.properties };
  for (const name of Object.keys(properties)) if (isCheckedByLibrary(name)) properties[name] = true;
  return compileSchema({ ...input, properties })(args).length === 0;
}

export async function listResources(call: Call): Promise<ListedResource[]> {
  const { server } = call;
  const listers = await ((server.cache.listers ??= bindResourceListers(server)) as Promise<ResourceLister[]>);
  const context = new CallContext(call);
  try {
    const lists = await Promise.all(listers.map((list) => list(context)));
    const all = [...server.catalog.items('resources'), ...lists.flat()];
    const seen = new Set<string>();
    return all.filter(({ uri }) => !seen.has(uri) && seen.add(uri));
  } catch (thrown) {
    throw toProtocolError(thrown);
  }
}

async function bindResourceListers(server: ServerInstance): Promise<ResourceLister[]> {
  const [functions, { resourceTemplates }] = await Promise.all([loadFunctions(server), server.bindings()]);
  const opened = server.catalog.items('resourceTemplates').flatMap((template) => {
    const { uriTemplate } = template;
    const binding = getOwnMember(resourceTemplates, uriTemplate);
    if (binding?.list === undefined) return [];
    const isOwn = Object.hasOwn(server.handlers.resourceTemplates ?? {}, uriTemplate);
    const by = isOwn || binding.do.kind !== 'function' ? undefined : binding.do;
    const argumentsOf = (uri: string) => parseTemplateArguments(uriTemplate, uri, binding);
    return [functions.bindLister(binding.list, template, { argumentsOf, by })];
  });
  return Promise.all(opened);
}

function parseTemplateArguments(
  uriTemplate: string,
  uri: string,
  binding: ResourceBinding,
): Record<string, unknown> | undefined {
  const variables = matchVariables(uriTemplate, uri);
  return variables && variablesToArguments(variables, binding);
}

export const runStartFunctions: FunctionsRuntime['runStartFunctions'] = async (server, handle, start) => {
  const functions = await loadFunctions(server);
  const { started = [] } = await server.bindings();
  for (const binding of started)
    await start(`${binding.method ?? binding.export} of ${binding.module}`, async () =>
      functions.runStartFunction(binding, handle),
    );
};

export async function loadModules(
  modules: FunctionModules['modules'],
  report: (thrown: unknown) => void,
): Promise<void> {
  // Stack traces then name the lines of the source, which only works for modules that load afterwards.
  process.setSourceMapsEnabled(true);
  const faults = new Map<unknown, string>();
  for (const [name, load] of Object.entries(modules)) {
    try {
      for (const made of Object.values(await load()))
        // Calls await it, and fail with its reason; it is no rejection that nobody handles.
        if (made instanceof Promise) made.catch(report);
    } catch (thrown) {
      if (!faults.has(thrown)) faults.set(thrown, `${name} can't be loaded. ${explainLoadFailure(thrown)}`);
    }
  }
  if (faults.size === 0) return;
  throw new Error([...faults.values()].join('\n'), { cause: [...faults.keys()][0] });
}

function explainLoadFailure(thrown: unknown): string {
  const { code, message } = thrown instanceof Error ? (thrown as NodeJS.ErrnoException) : {};
  // Newer versions of Node have more modules, such as `node:sqlite`; the stack has nothing of the user's code.
  if (code !== 'ERR_UNKNOWN_BUILTIN_MODULE') return formatStack(thrown);
  return `${message}. This is Node ${process.versions.node}: start the server with a newer one.`;
}
