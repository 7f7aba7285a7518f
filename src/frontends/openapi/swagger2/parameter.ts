import type { ItemSeparator, ParameterStyle } from '../../../model/bindings.ts';
import type { JsonSchema } from '../../../util/json-schema.ts';
import { isRecord } from '../../../../templates/runtime/json-rpc.ts';
import { type Rec, printValue } from '../document/record.ts';
import type { ReadContext } from '../read-context.ts';
import { type RecordNode, memberNode, nodeOrigin } from '../reference/source-node.ts';

const ownFields = new Set(
  'name in description required allowEmptyValue collectionFormat schema example x-mcp'.split(' '),
);

type Place = 'query' | 'form' | 'path' | 'header';

/** Reads the schema and style of a parameter, a form field or a header, of whose object the keywords are members. */
export function readSwaggerSchema(
  context: ReadContext,
  node: RecordNode,
  name: string,
  place: Place,
): CollectionReading & { schema: JsonSchema } {
  const schema = context.schemas.readSchema(schemaNode(node));
  if (node.value.type !== 'array') return { schema };
  const { collectionFormat } = node.value;
  const reading = readCollectionFormat(collectionFormat, place);
  if (reading === undefined) {
    const setting = `collectionFormat: ${printValue(collectionFormat)}`;
    const at = nodeOrigin(memberNode(node, 'collectionFormat'));
    context.report('invalid-style', { name, setting, place: `a parameter in ${place}` }, { at });
  }
  return { schema, ...(reading ?? readCollectionFormat(undefined, place)) };
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

function readCollectionFormat(format: unknown, place: Place): CollectionReading | undefined {
  const exploding = place === 'query' || place === 'form';
  const joined: CollectionReading = exploding ? { explode: false } : {};
  if (format === undefined || format === 'csv') return joined;
  if (format === 'multi') return exploding ? {} : undefined;
  if (format === 'ssv' && exploding) return { style: 'spaceDelimited' };
  if (format === 'pipes' && exploding) return { style: 'pipeDelimited' };
  const separator = separators.get(format);
  return separator && { ...joined, separator };
}
