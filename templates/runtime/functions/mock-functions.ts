// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Answers in place of functions, with `--mock`. */
import type { FunctionBinding } from '../contract/bindings.ts';
import { isText } from '../contract/http-syntax.ts';
import type { Json, ObjectSchema } from '../contract/json-schema.ts';
import { isRecord } from '../contract/json-value.ts';
import type { BoundFunctions, MockFunctions } from './bound-functions.ts';
import { ToolError } from '../protocol/json-rpc.ts';
import { isImageOrAudio, sampleMedia } from '../sample/media.ts';

const INSTEAD =
  'This stands for what a function returns: the server was started with --mock, and calls none.';

/** Arguments are checked, and results made, as for a call; their values are samples. No module is loaded. */
export const mockFunctions: MockFunctions = (open, outputSchemaOf) => {
  const openReturning = (returned: () => unknown): BoundFunctions =>
    open({ [stand.module]: () => Promise.resolve({ [stand.export]: returned }) });
  return {
    bindTool: async (binding, name) => {
      const schema = outputSchemaOf(name);
      const sample = schema && (await makeSchemaSample(schema));
      return openReturning(() => sampleToolValue(binding, schema, sample)).bindTool(
        standInBinding(binding, schema),
        name,
      );
    },
    bindResource: (binding, args) =>
      Promise.resolve(async (uri, variables, context) => {
        const functions = openReturning(() => sampleResourceValue(binding, uri));
        return (await functions.bindResource(standInBinding(binding, {}), args))(uri, variables, context);
      }),
    bindPrompt: async (binding, name) =>
      openReturning(() => INSTEAD).bindPrompt(standInBinding(binding, {}), name),
    bindCompletion: () => Promise.resolve(() => []),
    bindPrepare: () => Promise.resolve((args) => args),
    bindLister: () => Promise.resolve(() => Promise.resolve([])),
    runStartFunction: () => Promise.resolve(undefined),
  };
};

const stand = { module: 'mock', export: 'sample' } as const;

function standInBinding(binding: FunctionBinding, schema: object | undefined): FunctionBinding {
  const call = { ...binding, ...stand };
  for (const name of ['method', 'instance', 'streams']) Reflect.deleteProperty(call, name);
  const result = { ...binding.result };
  delete result.codec;
  if (schema === undefined && result.as === 'json') result.as = 'content';
  if (result.as === 'bytes') result.mimeType = sampleMedia(result.mimeType).mimeType;
  return { ...call, result };
}

async function makeSchemaSample(schema: ObjectSchema): Promise<Json | undefined> {
  const { makeSample } = await import('../sample/sample-of.ts');
  return makeSample(schema, { full: true });
}

function sampleToolValue(
  { result: { as, mimeType, wrapped = false } = {} }: FunctionBinding,
  schema: ObjectSchema | undefined,
  sample: Json | undefined,
): unknown {
  if (as === 'bytes') return sampleMedia(mimeType).bytes;
  if (as === 'nothing') return undefined;
  if (schema === undefined) return INSTEAD;
  if (sample === undefined)
    throw new ToolError('No value was found that fits the output schema, so --mock has no answer.');
  if (as === 'full') return { content: [{ type: 'text', text: INSTEAD }], structuredContent: sample };
  return wrapped && isRecord(sample) ? sample['result'] : sample;
}

/** No text stands for an image or a sound. */
function sampleResourceValue(
  { result: { as, mimeType = 'text/plain', sample = INSTEAD } = {} }: FunctionBinding,
  uri: string,
): unknown {
  if (as === 'json') return sample;
  if (/[/+]json\b/.test(mimeType)) return JSON.stringify(INSTEAD);
  if (isText(mimeType)) return INSTEAD;
  if (!isImageOrAudio(mimeType)) return { uri, mimeType: 'text/plain', text: INSTEAD };
  const { bytes, mimeType: type } = sampleMedia(mimeType);
  return { uri, mimeType: type, blob: bytes.toString('base64') };
}
