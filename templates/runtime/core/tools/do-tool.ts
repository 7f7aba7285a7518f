/** Does a tool's work: the project's own code where there is some, else the binding. */
import { invalidParams, ProtocolError } from '../../protocol/protocol-error.ts';
import { UnfitArguments } from '../../protocol/unfit-arguments.ts';
import { isRecord } from '../../protocol/json-rpc.ts';
import type { Json } from '../../schema/json-schema.ts';
import type * as Upstream from '../../upstream/index.ts';
import type { CallContext } from '../call-context.ts';
import { callUpstream, HookError } from '../call-upstream.ts';
import { messageOf } from '../answer.ts';
import { functionsOf } from '../functions-of.ts';
import { withPings } from '../progress-pings.ts';
import type { ToolParts } from '../parts.ts';
import type { Project } from '../project.ts';
import { toResult } from './to-result.ts';

/** A result as it comes: its structured content may be any JSON value yet. */
export type LooseResult = Upstream.UpstreamToolResult;

/** Failures of the work are results; what is thrown, or rejected with, is a refusal by the protocol, or a fault of ours. */
export function doTool(
  project: Project,
  tool: ToolParts,
  args: Record<string, unknown>,
  context: CallContext,
): LooseResult | Promise<LooseResult> {
  const {
    handler,
    listed: { outputSchema },
  } = tool;
  if (handler === undefined) return doBinding(project, tool, args, context);
  const isStructured = outputSchema !== undefined;
  try {
    const returned: unknown = handler(args, context);
    return isThenable(returned)
      ? doneLater(returned, isStructured, context)
      : toResult(returned, isStructured);
  } catch (thrown) {
    return failed(thrown, context);
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return isRecord(value) && typeof value['then'] === 'function';
}

async function doneLater(
  returned: PromiseLike<unknown>,
  isStructured: boolean,
  context: CallContext,
): Promise<LooseResult> {
  try {
    return toResult(await returned, isStructured);
  } catch (thrown) {
    return failed(thrown, context);
  }
}

/** @throws {ProtocolError} what is one, and what the revision has no result for */
function failed(thrown: unknown, { revision }: CallContext): LooseResult {
  if (thrown instanceof ProtocolError) throw thrown;
  if (thrown instanceof UnfitArguments && revision.invalidArguments === 'protocol-error')
    throw invalidParams(thrown.message);
  return failure(messageOf(thrown));
}

/** Loaded with the first call: to ask for it again takes longer than to keep it. */
let upstream: typeof Upstream | undefined;

async function doBinding(
  project: Project,
  tool: ToolParts,
  args: Record<string, unknown>,
  context: CallContext,
): Promise<LooseResult> {
  const { name } = tool.listed;
  const { tools } = await project.bindings();
  const binding = Object.hasOwn(tools, name) ? tools[name]?.do : undefined;
  if (binding === undefined) throw new Error(`No work is bound to the tool ${name}.`);
  if (binding.kind === 'function') {
    // From now on the function is the tool's handler.
    tool.handler = await (await functionsOf(project)).tool(binding, name);
    return doTool(project, tool, args, context);
  }
  const { toToolResult, UpstreamError } = (upstream ??= await import('../../upstream/index.ts'));
  try {
    const answer = await withPings(project, context, (onItems) =>
      callUpstream(project, binding, args, {
        work: context.caller,
        auth: context.auth,
        savesFiles: true,
        onItems,
        headers: context.passedHeaders,
        tool: name,
      }),
    );
    const result = toToolResult(answer, binding);
    return binding.result?.wrapped === true ? wrap(result) : result;
  } catch (thrown) {
    if (thrown instanceof UpstreamError || thrown instanceof HookError) return failure(thrown.message);
    // Of a tree that `JSON.parse` could read, and nothing that goes down by itself can follow.
    if (thrown instanceof RangeError)
      return failure("The API's answer is nested too deeply to be passed on. Ask for less of it.");
    throw thrown;
  }
}

/** Output schemas are objects, so a value that may be none is listed, and answered, as `{ result }`. */
function wrap(result: LooseResult): LooseResult {
  const { structuredContent: value } = result;
  return value === undefined ? result : { ...result, structuredContent: { result: value } satisfies Json };
}

export function failure(text: string): LooseResult {
  return { content: [{ type: 'text', text }], isError: true };
}
