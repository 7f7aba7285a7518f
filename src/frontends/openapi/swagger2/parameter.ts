import type { ItemSeparator, ParameterStyle } from '../../../model/bindings.ts';
import type { JsonSchema } from '../../../util/json-schema.ts';
import { isRecord } from '../../../../templates/runtime/json-rpc.ts';
import type { Parameter } from '../../../model/source-model.ts';
import { omitUndefined } from '../../../util/collections.ts';
import { readExampleValue } from '../document/document-value.ts';
import { type Rec, printValue, readCleanText } from '../document/record.ts';
import { isKeptArgument, readArgumentRule } from '../document/x-mcp.ts';
import { readNameAndLocation } from '../operations/parameter.ts';
import { type ReadContext, readFlag } from '../read-context.ts';
import { type RecordNode, memberNode, nodeOrigin } from '../reference/source-node.ts';

const ownFields = new Set(
  'name in description required allowEmptyValue collectionFormat schema example x-mcp'.split(' '),
);

export function readSwaggerParameter(
  context: ReadContext,
  node: RecordNode,
  operation: string,
): Parameter | undefined {
  if (node.value.in === 'body' || node.value.in === 'formData') return undefined;
  const identity = readNameAndLocation(context, node, operation);
  if (identity === undefined) return undefined;
  const { name, location } = identity;
  const { value } = node;
  const required = readFlag(context, node, 'required') === true;
  const allowEmptyValue = readFlag(context, node, 'allowEmptyValue') === true;
  const place = location === 'path' || location === 'header' ? location : 'query';
  const { schema, reading } = readSchemaAndCollection(context, node, name, place);
  return {
    origin: nodeOrigin(node),
    name,
    in: location,
    required: location === 'path' || required,
    ...omitUndefined({
      description: readCleanText(value.description),
      rule: readArgumentRule(context, node),
    }),
    ...reading,
    ...(isKeptArgument(node) ? { isArgument: true } : {}),
    ...(allowEmptyValue && location === 'query' ? { allowEmptyValue } : {}),
    schema,
    // Swagger 2.0 has no examples of parameters, and `x-example` is customary.
    ...omitUndefined({ example: readExampleValue(value['x-example'], node.document) }),
  };
}

export function readSwaggerHeaderSchema(context: ReadContext, node: RecordNode, name: string): JsonSchema {
  const example = readExampleValue(node.value['x-example'], node.document);
  return example === undefined
    ? readSchemaAndCollection(context, node, name, 'header').schema
    : { const: example };
}

export function readSchemaAndCollection(
  context: ReadContext,
  node: RecordNode,
  name: string,
  place: 'query' | 'form' | 'path' | 'header',
): { schema: JsonSchema; reading?: CollectionReading } {
  const schema = context.schemas.readSchema(schemaNode(node));
  if (node.value.type !== 'array') return { schema };
  const { collectionFormat } = node.value;
  const reading = readCollectionFormat(collectionFormat, place);
  if (reading === undefined) {
    const setting = `collectionFormat: ${printValue(collectionFormat)}`;
    const at = nodeOrigin(memberNode(node, 'collectionFormat'));
    context.report('invalid-style', { name, setting, place: `a parameter in ${place}` }, { at });
  }
  return { schema, reading: reading ?? readCollectionFormat(undefined, place) ?? {} };
}

/** Documents sometimes write `schema` although the version has none here. */
function schemaNode(node: RecordNode): RecordNode {
  const { schema } = node.value;
  if (isRecord(schema) && node.value.type === undefined)
    return { ...node, pointer: `${node.pointer}/schema`, value: schema };
  const keywords: Rec = {};
  for (const key of Object.keys(node.value)) {
    if (!ownFields.has(key)) keywords[key] = node.value[key];
  }
  return { ...node, value: keywords };
}

/** OpenAPI 3's defaults are left out. */
interface CollectionReading {
  style?: ParameterStyle;
  explode?: boolean;
  separator?: ItemSeparator;
}

const separators = new Map<unknown, ItemSeparator>([
  ['ssv', ' '],
  ['tsv', '\t'],
  ['pipes', '|'],
]);

function readCollectionFormat(
  format: unknown,
  place: 'query' | 'form' | 'path' | 'header',
): CollectionReading | undefined {
  const exploding = place === 'query' || place === 'form';
  const joined: CollectionReading = exploding ? { explode: false } : {};
  if (format === undefined || format === 'csv') return joined;
  if (format === 'multi') return exploding ? {} : undefined;
  if (format === 'ssv' && exploding) return { style: 'spaceDelimited' };
  if (format === 'pipes' && exploding) return { style: 'pipeDelimited' };
  const separator = separators.get(format);
  return separator && { ...joined, separator };
}
