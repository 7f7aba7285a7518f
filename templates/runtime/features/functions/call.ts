// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Calls functions: arguments in their places, generators run to their end, errors told to whom they are meant for. */
import { inspect } from 'node:util';
import type { Call } from '../../feature.ts';
import { isRecord, ownMember, RpcError, writeJson } from '../../json-rpc.ts';
import { createRedactor, type Redact } from '../../results.ts';
import type { Server } from '../../server.ts';
import { makeContext } from '../../tools.ts';
import { type Args, type Context, ToolError } from '../../types.ts';
import { compileSchema, printPath } from '../../validate.ts';
import { secretsOfEnvironment } from '../environment-secrets.ts';
import type { FunctionBinding, SchemaCheck } from './binding.ts';
import { decode, refusePrototypes, UnfitArguments } from './decode.ts';
import { AnswerSize } from './encode.ts';
import type { Program } from './instances.ts';

/** Answers in place of functions, of which none is loaded then. A feature has it among its `parts`, as `functions.standIn`. */
export type StandIn = (server: Server) => ((call: Call, binding: FunctionBinding) => unknown) | undefined;
export function findStandIn(server: Server): ReturnType<StandIn> {
  for (const { parts } of server.features) {
    const standIn = (parts?.['functions']?.['standIn'] as StandIn | undefined)?.(server);
    if (standIn !== undefined) return standIn;
  }
  return undefined;
}

/** @throws {UnfitArguments | ToolError | RpcError} for the caller; anything else was logged */
export async function callFunction(
  program: Program,
  call: Call,
  binding: FunctionBinding,
  args: Args,
  prepared: Args = {},
): Promise<unknown> {
  const { server, session } = call.request;
  const { streams = false, contextAt, contextIn } = binding;
  return guard(call, binding, async () => {
    refusePrototypes(args);
    const decoded = decode(rename(args, binding.properties), binding.argumentCodec, server.bindings.codecs);
    const checked = await checkByLibraries(program, binding.checks, decoded as Args);
    const standIn = findStandIn(server);
    if (standIn !== undefined) return standIn(call, binding);
    const target = await program.find(binding, session, server.report);
    const needsContext = streams !== false || contextAt !== undefined || contextIn !== undefined;
    const context = needsContext ? makeContext(call) : undefined;
    const values = Object.keys(prepared).length > 0 ? { ...checked, ...prepared } : checked;
    return target(toParameters(binding, values, context), (returned) =>
      streams === false || context === undefined
        ? returned
        : runGenerator(returned as AnyIterator, context, streams === 'items'),
    );
  });
}

export function rename<T>(
  args: Record<string, T>,
  names: Record<string, string> | undefined,
): Record<string, T> {
  if (names === undefined) return args;
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [ownMember(names, name) ?? name, value]),
  );
}

function toParameters(binding: FunctionBinding, values: Args, context: Context | undefined): unknown[] {
  const { parameters, contextAt, contextIn = [], rest = false } = binding;
  // A library may have made any value of the arguments.
  const object = contextIn.reduce<unknown>((made, name) => ({ ...(made as Args), [name]: context }), values);
  const list = parameters === 'object' ? [object] : parameters.map((name) => ownMember(values, name));
  const last = rest ? list.pop() : undefined;
  if (contextAt !== undefined) list.splice(contextAt, 0, context);
  if (Array.isArray(last)) list.push(...(last as unknown[]));
  // Functions may use `arguments.length`.
  while (list.length > 0 && list.at(-1) === undefined) list.pop();
  return list;
}

type AnyIterator = AsyncIterator<unknown> | Iterator<unknown> | AsyncIterable<unknown>;

/** Ends the generator if the call is cancelled, or a value can't be reported, so that its `finally` blocks run. */
async function runGenerator(given: AnyIterator, context: Context, isList: boolean): Promise<unknown> {
  const generator = Symbol.asyncIterator in given ? given[Symbol.asyncIterator]() : given;
  const items: unknown[] = [];
  const size = new AnswerSize();
  for (let count = 1; ; count++) {
    const step = await generator.next();
    if (step.done === true) return isList ? items : (step.value as unknown);
    try {
      context.signal.throwIfAborted();
      if (isList) size.add(step.value);
      if (isList) items.push(step.value);
      // Items may have parts that clients must not see before they are encoded.
      if (isList)
        await context.progress(count, undefined, typeof step.value === 'string' ? step.value : undefined);
      else await reportStep(step.value, count, context);
    } catch (thrown) {
      await generator.return?.();
      throw thrown;
    }
  }
}

/** A number is progress, a text its message, `{ progress, total?, message? }` both, and anything else a message as JSON. */
async function reportStep(value: unknown, count: number, { progress }: Context): Promise<void> {
  if (typeof value === 'number') return progress(value);
  if (typeof value === 'string') return progress(count, undefined, value);
  if (value === undefined) return progress(count);
  if (!isRecord(value) || typeof value['progress'] !== 'number')
    return progress(count, undefined, writeJson(value));
  const { progress: done, total, message } = value;
  const text = typeof message === 'string' ? message : undefined;
  return progress(done as number, typeof total === 'number' ? total : undefined, text);
}

// Arguments.

/** Exported schemas of libraries (Standard Schema) check decoded arguments, and make values of them. */
async function checkByLibraries(program: Program, checks: SchemaCheck[] = [], args: Args): Promise<Args> {
  const faults: string[] = [];
  let values: Args = args;
  for (const check of checks) {
    const { module, export: name, argument, optional = false } = check;
    const given = argument === undefined ? args : ownMember(args, argument);
    if (given === undefined && optional) continue;
    // A schema of ArkType is a function.
    const { '~standard': standard } = Object(await program.load(check)) as Partial<Standard>;
    if (standard?.validate === undefined)
      throw new Error(`The export ${name} of ${module} is no schema that checks values.`);
    const { issues, value } = await standard.validate(given);
    if (issues !== undefined) faults.push(...issues.map((issue) => describeIssue(issue, argument)));
    // A schema of all arguments may make any value.
    else values = argument === undefined ? (value as Args) : { ...values, [argument]: value };
  }
  if (faults.length > 0) throw new UnfitArguments(faults);
  return values;
}

interface Standard {
  '~standard': { validate?: (value: unknown) => Awaitable<{ issues?: Issue[]; value?: unknown }> };
}
type Awaitable<T> = T | Promise<T>;
interface Issue {
  message: string;
  path?: (PropertyKey | { key: PropertyKey })[];
}

function describeIssue({ message, path = [] }: Issue, argument: string | undefined): string {
  const steps = path.map((step) => (typeof step === 'object' ? step.key : step));
  const place = [argument ?? [], steps]
    .flat()
    .map((step) => (typeof step === 'number' ? step : String(step)));
  return place.length === 0 ? message : `${printPath(place)}: ${message}`;
}

export function requireInput({ input }: FunctionBinding, args: Args): void {
  const misfits = input === undefined ? [] : compileSchema(input)(args);
  if (misfits.length > 0) throw new UnfitArguments(misfits.map(({ message }) => message));
}

// Errors.

/** The first use of one takes as long as hundreds of calls. */
const redactors = new WeakMap<Server, Redact>();

/** Errors that are not for the caller are logged with the request, and without secrets. @throws what the caller is told */
export async function guard<T>(
  call: Call,
  { throws }: FunctionBinding,
  run: () => T | Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (thrown) {
    if ([ToolError, RpcError, UnfitArguments].some((type) => thrown instanceof type)) throw thrown;
    const { server, id } = call.request;
    const redact = redactors.get(server) ?? createRedactor(secretsOfEnvironment(server.env));
    redactors.set(server, redact);
    const isMeant = throws !== undefined && isNamed(thrown, throws);
    // To stop when the call is cancelled is no fault.
    const isAbort = call.work.reason !== undefined && thrown instanceof Error && thrown.name === 'AbortError';
    if (!isMeant && !isAbort)
      server.report(redact(`${call.name} failed (request ${writeJson(id)}): ${describeErrors(thrown)}`));
    const isShown = isMeant || server.env['MCP_SHOW_ERRORS'] === '1';
    const message = isShown && thrown instanceof Error ? thrown.message : '';
    if (message === '')
      throw new ToolError(`${call.name} failed. The log of the server says why.`, { cause: thrown });
    throw new ToolError(redact(isMeant ? message : `${call.name} failed: ${message}`), { cause: thrown });
  }
}

/** By name, since a package may be loaded twice. Classes that the error's class extends count. */
function isNamed(thrown: unknown, names: readonly string[]): boolean {
  if (!(thrown instanceof Error)) return false;
  if (names.includes(thrown.name)) return true;
  let prototype = Object.getPrototypeOf(thrown) as Error | null;
  while (prototype !== null && !names.includes(prototype.constructor.name))
    prototype = Object.getPrototypeOf(prototype) as Error | null;
  return prototype !== null;
}

const MAX_CAUSES = 10;

/** Its stack, and those of its causes. Other members of errors may hold whole requests. */
export function describeErrors(thrown: unknown): string {
  const errors = new Set([thrown]);
  const describe = (error: unknown): string => {
    if (!(error instanceof Error)) return inspect(error).slice(0, 2_000);
    const inner: unknown[] = error instanceof AggregateError ? error.errors : [];
    for (const cause of [error.cause ?? [], inner].flat()) if (errors.size < MAX_CAUSES) errors.add(cause);
    const { code, status } = error as { code?: unknown; status?: unknown };
    return [error.stack, code && `(code ${code})`, status && `(status ${status})`]
      .filter(Boolean)
      .join('\n    ');
  };
  return Array.from(errors, describe).join('\nCaused by: ');
}
