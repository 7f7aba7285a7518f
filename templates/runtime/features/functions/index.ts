// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Tools, resources, prompts and completions that are functions of the program. */
import type { BindingWork, Call, Feature } from '../../feature.ts';
import { invalidParams, isRecord, ownMember } from '../../json-rpc.ts';
import { textOf } from '../../results.ts';
import { lacksFeature } from '../../settings.ts';
import { refusedArguments } from '../../tools.ts';
import { type Args, type Binding, type Outcome, type ResourceInfo, type SchemaObject } from '../../types.ts';
import { ToolError } from '../../types.ts';
import { confirmAsTool, toArguments } from '../resources.ts';
import type { FunctionBinding } from './binding.ts';
import { callFunction, describeErrors, findStandIn, guard, rename, requireInput } from './call.ts';
import { UnfitArguments } from './decode.ts';
import { type Modules, Program } from './instances.ts';
import { listResources, listTemplates } from './list.ts';
import { resourceOutcome, toolOutcome } from './results.ts';

export type { StandIn } from './call.ts';
/** Runs the `@prepare` function of a tool, once for a call. Part `prepare.function`: for what answers a call before it is done. */
export type Prepare = (call: Call, args: Args) => Promise<Args>;

/** @param modules the modules of the program that have functions */
export function functions(modules: Modules): Feature {
  const program = new Program(modules);
  const endings: (() => unknown)[] = [];
  const preparations = new WeakMap<Call, Promise<Args>>();

  const prepare: Prepare = (call, args) => {
    const { server } = call.request;
    const tool = ownMember(server.bindings.tools, call.name) as { prepare?: FunctionBinding } | undefined;
    if (tool?.prepare === undefined || findStandIn(server) !== undefined) return Promise.resolve({});
    const result = preparations.get(call) ?? callFunction(program, call, tool.prepare, args).then(toRecord);
    preparations.set(call, result);
    return result;
  };

  const work: BindingWork = {
    tool: async (call, given, args) => {
      const binding = given as FunctionBinding;
      try {
        const value = await callFunction(program, call, binding, args, await prepare(call, args));
        return await guard(call, binding, () => toolOutcome(value, binding, call));
      } catch (thrown) {
        return refusal(thrown, call.name);
      }
    },
    resource: async (call, given, args, uri) => {
      const binding = given as FunctionBinding;
      return confirmTool(call, binding, args, async () => {
        try {
          requireInput(binding, args);
          const value = await callFunction(program, call, binding, args);
          return await guard(call, binding, () => resourceOutcome(value, binding, call, uri));
        } catch (thrown) {
          return refusal(thrown, uri);
        }
      });
    },
    prompt: async (call, given, texts) => {
      const binding = given as FunctionBinding;
      const args = toArguments(texts, { schemas: binding.input?.properties ?? {} });
      let value: unknown;
      const outcome = await confirmTool(call, binding, args, async () => {
        try {
          requireInput(binding, args);
          value = await callFunction(program, call, binding, args);
        } catch (thrown) {
          if (!(thrown instanceof UnfitArguments)) throw thrown;
          throw invalidParams(listFaults(`The arguments of ${call.name} do not fit:`, thrown));
        }
        return { result: { messages: [] } };
      });
      if (outcome?.cause !== undefined) throw outcome.error ?? new ToolError(textOf(outcome.result));
      if (value === undefined || value === null)
        throw invalidParams(`The prompt ${call.name} says nothing for these arguments.`);
      return value;
    },
    completion: async (call, given, typed, others) => {
      const { properties, ...binding } = given as FunctionBinding;
      if (findStandIn(call.request.server) !== undefined) return [];
      const args = { typed, others: rename(others, properties) };
      return (await callFunction(program, call, binding, args)) as string[];
    },
    // The words of the library must reach the caller.
    input: (schema, given) => {
      const { checks, properties: names } = given as FunctionBinding;
      if (checks === undefined) return undefined;
      if (checks.some(({ argument }) => argument === undefined)) return true;
      const checked = new Set(checks.map(({ argument }) => argument));
      const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => [
        name,
        checked.has(ownMember(names, name) ?? name) || property,
      ]);
      return { ...schema, properties: Object.fromEntries(properties) as Record<string, SchemaObject> };
    },
  };

  /** The last one is undone first, and what was begun is undone if another one fails. */
  const end = async (report: (thrown: unknown) => void): Promise<void> => {
    for (const ending of endings.splice(0).toReversed()) await Promise.resolve().then(ending).catch(report);
  };
  let report: (thrown: unknown) => void = () => undefined;

  return {
    name: 'functions',
    settings: [
      { variable: 'MCP_SHOW_ERRORS', help: '1: callers read the message of any error of a function.' },
    ],
    work: { function: work },
    parts: { prepare: { function: prepare } },
    catalog: {
      // What a server that only reads hides as a tool, it does not run as a resource or a prompt.
      select: ({ isReadOnly, tools, resources, resourceTemplates, prompts }, { bindings }) => {
        if (!isReadOnly) return;
        const hidden = Object.entries(bindings.tools).flatMap(([name, item]) =>
          tools.has(name) ? [] : item.do,
        );
        const isHidden = (binding: Binding): boolean =>
          binding.kind === 'function' && hidden.some((other) => isSameFunction(binding, other));
        for (const [uri, item] of Object.entries(bindings.resources))
          if (isHidden(item.do)) resources.delete(uri);
        for (const [uri, item] of Object.entries(bindings.resourceTemplates))
          if (isHidden(item.do)) resourceTemplates.delete(uri);
        for (const [name, binding] of Object.entries(bindings.prompts))
          if (isHidden(binding)) prompts.delete(name);
      },
      list: async (list, items, call) => {
        if (list !== 'resources' || findStandIn(call.server) !== undefined) return items;
        const listed = [...items, ...(await listResources(program, call))] as ResourceInfo[];
        const uris = new Set<string>();
        return listed.filter(({ uri }) => !uris.has(uri) && uris.add(uri));
      },
    },
    // What functions list may be for one caller only.
    aroundRequest: async (call, next) => {
      const isOwn = call.method === 'resources/list' && listTemplates(call.server).length > 0;
      const result = await next(call);
      return isOwn && call.agreement.era === 'modern'
        ? { ...result, ttlMs: 0, cacheScope: 'private' }
        : result;
    },
    start: async (server) => {
      report = server.report;
      if (findStandIn(server) !== undefined) return;
      await program.loadAll(report);
      const { started = [] } = server.bindings;
      const handle = server.parts<(of: typeof server) => unknown>('handle')['changes']?.(server);
      if (started.length > 0 && handle === undefined) throw lacksFeature('`@started`', 'changes');
      for (const binding of started) {
        const { module, export: name, method = name, parameters } = binding;
        try {
          const target = await program.find(binding, undefined, report);
          const args = parameters === 'object' ? [] : parameters.map(() => handle);
          const ending = await target(args, (returned) => returned);
          if (typeof ending === 'function') endings.push(ending as () => unknown);
        } catch (cause) {
          await end(report);
          throw new Error(`${method} of ${module} failed. ${describeErrors(cause)}`, { cause });
        }
      }
    },
    stop: async () => {
      await end(report);
      await program.close();
    },
  };
}

const toRecord = (value: unknown): Args => (isRecord(value) ? value : {});

function refusal(thrown: unknown, name: string): Outcome {
  if (!(thrown instanceof UnfitArguments)) throw thrown;
  return refusedArguments(
    name,
    thrown.faults.map((message) => ({ path: [], message })),
  );
}

function listFaults(head: string, { faults }: UnfitArguments): string {
  return [head, ...faults.map((fault) => `- ${fault}`)].join('\n');
}

function isSameFunction(one: Binding, other: Binding): boolean {
  return ['module', 'export', 'method'].every((member) => one[member] === other[member]);
}

/** A function may be a tool, too. Who must confirm the tool confirms what else runs it. */
async function confirmTool(
  call: Call,
  binding: FunctionBinding,
  args: Args,
  run: () => Promise<Outcome | undefined>,
): Promise<Outcome | undefined> {
  const { server } = call.request;
  const tools = Object.entries(server.bindings.tools);
  const [name] = tools.find(([, { do: other }]) => isSameFunction(binding, other)) ?? [undefined];
  return name === undefined || !server.catalog.tools.has(name) ? run() : confirmAsTool(call, name, args, run);
}
