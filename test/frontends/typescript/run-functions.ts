// Runs compiled functions in this process, by the bindings that were made of them.
import { ts } from 'ts-morph';
import { expect } from 'vitest';
import type { Call } from '../../../templates/runtime/feature.ts';
import { Session, Work } from '../../../templates/runtime/session.ts';
import type { Args, Binding, Outcome } from '../../../templates/runtime/types.ts';
import { makeServer } from '../../runtime/core.ts';
import type { CompiledFiles } from './compile-files.ts';

/** Stands in a row for the context of the call. */
export const THE_CONTEXT = expect.objectContaining({ signal: expect.any(AbortSignal) as unknown }) as unknown;

/** Of one file, whose text is given again; what a function throws by mistake is thrown. */
export function loadFunctions(text: string, { model }: CompiledFiles) {
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
  const { outputText } = ts.transpileModule(text, { compilerOptions });
  const load = (): Promise<Record<string, unknown>> =>
    import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(outputText)}`) as never;
  const bindings = [
    ...(model?.tools ?? []).map(({ binding }) => binding),
    ...(model?.prompts ?? []).map(({ binding }) => binding),
  ];
  const modules = Object.fromEntries(
    bindings.flatMap((binding) => (binding.kind === 'function' ? [[binding.module, load]] : [])),
  ) as Record<string, () => Promise<object>>;
  const reported: unknown[] = [];
  const server = makeServer({ functions: { modules }, bindings: { codecs: model?.codecs ?? {} } }, reported);
  const work = server.workOf('function');
  const run = async <T>(name: string, begin: (call: Call) => Promise<T>): Promise<T> => {
    const session = new Session();
    const agreement = {
      era: 'legacy' as const,
      revision: '2025-11-25',
      clientCapabilities: {},
      clientInfo: undefined,
    };
    const exchange = { session, send: () => undefined };
    const request = {
      server,
      session,
      exchange,
      agreement,
      id: 1,
      method: 'x',
      params: {},
      message: { kind: 'request' as const, id: 1, method: 'x', params: {} },
      work: new Work(),
    };
    const call: Call = { kind: 'tool', name, args: {}, origin: 'client', request, work: request.work };
    try {
      return await begin(call);
    } finally {
      if (reported.length > 0) throw new Error(String(reported.pop()));
    }
  };
  const resultOf = ({ result, cause }: Outcome) => {
    if (cause === undefined) return result;
    const { content } = result as { content: { text: string }[] };
    throw Object.assign(new Error(content[0]?.text), { code: -32602 });
  };
  return {
    callTool: async (binding: object, name: string, args: Args) =>
      resultOf(await run(name, (call) => work.tool(call, binding as Binding, args))),
    getPrompt: (binding: object, name: string, args: Record<string, string>) =>
      run(name, async (call) => work.prompt?.(call, binding as Binding, args)),
    readResource: async (binding: object, uri: string, args: Args) => {
      const outcome = await run(uri, async (call) => work.resource?.(call, binding as Binding, args, uri));
      const { contents } = (outcome && resultOf(outcome)) as { contents: { text: string }[] };
      return contents[0]?.text;
    },
  };
}
