/** Reads the first example of a parameter, a body or an answer (Example Object). */
import type { Json } from '../../../../templates/runtime/contract/json-schema.ts';
import { isJson } from '../../../../templates/runtime/contract/media-type.ts';
import { exampleIn } from '../document/example-value.ts';
import { type ReadContext, readRecord } from '../read-context.ts';
import { type RecordNode, isRecordNode, memberOf } from '../reference/source-node.ts';

/**
 * `example`, else the first of `examples`, of a Parameter or Media Type Object.
 *
 * @param mediaType of the value, where it has one: `serializedValue` is read by it
 */
export function readExample(context: ReadContext, node: RecordNode, mediaType?: string): { example?: Json } {
  const { example: own, examples } = node.value;
  if (own === undefined && examples === undefined) return {};
  const example = exampleIn(own, node.document) ?? namedExample(context, node, mediaType);
  return example === undefined ? {} : { example };
}

function namedExample(
  context: ReadContext,
  owner: RecordNode,
  mediaType: string | undefined,
): Json | undefined {
  const examples = memberOf(owner, 'examples');
  if (!isRecordNode(examples)) return undefined;
  for (const name of Object.keys(examples.value)) {
    const written = memberOf(examples, name);
    const found = isRecordNode(written)
      ? readRecord(context, written, `The example ${name}`, 'example')
      : undefined;
    const value = found && exampleValue(found, mediaType);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** `dataValue` and `serializedValue` since OpenAPI 3.2; what is elsewhere (`externalValue`) is not fetched. */
function exampleValue({ value: example, document }: RecordNode, mediaType = ''): Json | undefined {
  const { dataValue, value, serializedValue } = example;
  const given = exampleIn(dataValue ?? value, document);
  if (given !== undefined || typeof serializedValue !== 'string') return given;
  return isJson(mediaType) ? parsed(serializedValue) : serializedValue;
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
