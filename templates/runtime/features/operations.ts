// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** `context.api`: handlers and functions call operations of the API. */
import { answerOutcome, describeError, isSuccess } from '../answer.ts';
import { callApi } from '../call-api.ts';
import type { Call, Feature } from '../feature.ts';
import { ownMember, parseJson, writeJson } from '../json-rpc.ts';
import { errorResult, resultOf, textOf } from '../results.ts';
import { refusedArguments } from '../tools.ts';
import type { Server } from '../server.ts';
import { readsByMethod } from './access.ts';
import { type ApiAnswer, ApiError, type Args, type HttpBinding, type Outcome } from '../types.ts';
import { type Schema, type StepOptions, ToolError, type ToolResult } from '../types.ts';

/** Sources by name, then operations by operationId. `src/generated/types.ts` declares them. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface DeclaredApis {}
export type Apis = keyof DeclaredApis extends never
  ? Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>
  : DeclaredApis;
export type ApiOperation = <Body = unknown>(args?: object, options?: StepOptions) => Promise<Body>;
declare module '../types.ts' {
  interface Context {
    /** `context.api.<source>.<operationId>(args)` returns the body. @throws {ApiError} for another status than 2xx */
    readonly api: Apis;
  }
}

export function operations(): Feature {
  return {
    name: 'operations',
    context: (call) => ({
      get api() {
        return members((source) =>
          members(
            (operation) =>
              (args?: object, options: StepOptions = {}) =>
                call.request.server.step(call, options, (step) =>
                  callOperation(step, source, operation, args),
                ),
          ),
        );
      },
    }),
  };
}

/** Any name is a member. A promise would be asked for `then`. */
function members(make: (name: string) => unknown): Apis {
  const get = (_: object, name: string | symbol): unknown =>
    typeof name === 'string' && name !== 'then' ? make(name) : undefined;
  return new Proxy({}, { get }) as Apis;
}

function valueOf({ body }: ApiAnswer): unknown {
  if (body.kind === 'json') return body.value;
  return body.kind === 'text' ? body.text : body.kind === 'bytes' ? body.bytes : undefined;
}

interface Operation {
  name: string;
  do: HttpBinding;
  input: Schema;
  isReading: boolean;
}

/** One that is no tool. */
export function findOperation({ bindings }: Server, source: string, name: string): Operation | undefined {
  const operation = ownMember(ownMember(bindings.operations, source), name);
  return operation && { ...operation, name, isReading: readsByMethod(operation.do) };
}

function findOperationOfTool({ bindings, catalog }: Server, source: string, operationId: string) {
  const { operations, upstreams, tools } = bindings;
  if (upstreams === undefined && operations !== undefined && !Object.hasOwn(operations, source))
    return undefined;
  const [name = '', tool] =
    Object.entries(tools).find(
      ([toolName, { do: work }]) =>
        work.kind === 'http' &&
        (work.operationId ?? toolName) === operationId &&
        (typeof work['api'] !== 'string' || work['api'].toLowerCase() === source),
    ) ?? [];
  // A tool that is not listed may write by any method.
  const { inputSchema: input = true } = catalog.tools.get(name) ?? {};
  return tool && { name, do: tool.do as HttpBinding, input, isReading: catalog.tools.has(name) };
}

/** Code gets the whole answer. @throws {ToolError} if the operation is unknown or may not be called */
async function callOperation(outer: Call, source: string, name: string, input?: object): Promise<unknown> {
  const { server } = outer.request;
  const operation = findOperation(server, source, name) ?? findOperationOfTool(server, source, name);
  if (operation === undefined)
    throw new ToolError(`Unknown operation: ${name} (context.api.${source}). Run \`mcpgen generate\`.`);
  let body: unknown;
  const outcome = await runOperation(outer, operation, input, (answer) => (body = valueOf(answer)));
  const result = resultOf(outcome) as ToolResult;
  if (result.isError === true) throw new ToolError(textOf(result));
  return body;
}

/** @throws {ToolError} if it may not be called */
export async function runOperation(
  outer: Call,
  { name, do: binding, input: schema, isReading }: Operation,
  input: object = {},
  onAnswer?: (answer: ApiAnswer) => void,
): Promise<Outcome> {
  const { server } = outer.request;
  if (server.catalog.isReadOnly && !isReading)
    throw new ToolError(`${name} was not called: it may change data, and the server is --read-only.`);
  const args = parseJson(writeJson(input)) as Args;
  const call: Call = {
    ...{ kind: 'tool', name, args, origin: 'code', parent: outer },
    ...{ request: outer.request, work: outer.work },
  };
  const check = server.compileSchema(schema);
  return server.around(call, async () => {
    const misfits = check(call.args);
    if (misfits.length > 0) return refusedArguments(name, misfits);
    const work = async (): Promise<Outcome> => {
      const answer = await callApi(call, binding, call.args);
      onAnswer?.(answer);
      if (isSuccess(answer)) return answerOutcome(answer, binding, undefined);
      const message = describeError(answer, binding);
      return {
        result: errorResult(message),
        cause: 'api',
        error: new ApiError(message, { ...answer, body: valueOf(answer) }),
      };
    };
    return server.around(call, work, 'work');
  });
}
