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
import { type RecordNode, isRecordNode, memberNode, nodeOrigin } from '../reference/source-node.ts';

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
  const itemSeparators = readItemSeparators(context, node, name);
  const reading = readCollectionFormat(node.value.collectionFormat, place);
  if (reading === undefined) reportCollectionFormat(context, node, name, `a parameter in ${place}`);
  return {
    schema,
    reading: {
      ...(reading ?? readCollectionFormat(undefined, place)),
      ...(itemSeparators.length === 0 ? {} : { itemSeparators }),
    },
  };
}

/** Separators of nested lists (Items Object, `collectionFormat`), the outer first. */
function readItemSeparators(context: ReadContext, list: RecordNode, name: string): ItemSeparator[] {
  const items = memberNode(list, 'items');
  if (!isRecordNode(items) || items.value.type !== 'array') return [];
  const separator = separators.get(items.value.collectionFormat);
  if (separator === undefined) reportCollectionFormat(context, items, name, 'a list inside of a list');
  return [separator ?? ',', ...readItemSeparators(context, items, name)];
}

function reportCollectionFormat(context: ReadContext, list: RecordNode, name: string, place: string): void {
  const at = nodeOrigin(memberNode(list, 'collectionFormat'));
  const setting = `collectionFormat: ${printValue(list.value.collectionFormat)}`;
  context.report('invalid-style', { name, setting, place }, { at });
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
  itemSeparators?: ItemSeparator[];
}

const separators = new Map<unknown, ItemSeparator>([
  // "Default value is `csv`."
  [undefined, ','],
  ['csv', ','],
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
