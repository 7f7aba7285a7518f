// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Answers in place of functions, with `--mock`. */
import type { FunctionBinding } from '../contract/bindings.ts';
import type { LooseResult } from '../core/handler-result.ts';
import type { ResourceAnswer } from '../definition.ts';
import type { ObjectSchema } from '../contract/json-schema.ts';
import { writeJson } from '../contract/json-value.ts';
import type { BoundFunctions, MockFunctions } from '../feature-loaders.ts';

const INSTEAD =
  'This stands for what a function returns: the server was started with --mock, and calls none.';

/** Tools return a sample of their output schema, if they have one. */
export const mockFunctions: MockFunctions = (outputSchemaOf) =>
  ({
    tool: async (_binding, name) => {
      const result = await mockResult(outputSchemaOf(name));
      return () => result;
    },
    resource: (binding) => Promise.resolve((uri) => contents(uri, binding)),
    prompt: () => Promise.resolve(() => INSTEAD),
    completion: () => Promise.resolve(() => []),
    prepare: () => Promise.resolve((args) => args),
    list: () => Promise.resolve(() => Promise.resolve([])),
    start: () => Promise.resolve(undefined),
  }) satisfies BoundFunctions;

function contents(
  uri: string,
  { result: { as, mimeType = 'text/plain' } = {} }: FunctionBinding,
): ResourceAnswer {
  if (as === 'json') return writeJson(INSTEAD);
  return mimeType.startsWith('text/') ? INSTEAD : { uri, mimeType: 'text/plain', text: INSTEAD };
}

async function mockResult(schema: ObjectSchema | undefined): Promise<LooseResult> {
  if (schema === undefined) return { content: [{ type: 'text', text: INSTEAD }] };
  const { makeSample: sampleOf } = await import('../sample/sample-of.ts');
  const sample = sampleOf(schema, { full: true });
  if (sample === undefined) {
    const text = 'No value was found that fits the output schema, so --mock has no answer.';
    return { content: [{ type: 'text', text }], isError: true };
  }
  return { content: [{ type: 'text', text: writeJson(sample) }], structuredContent: sample };
}
