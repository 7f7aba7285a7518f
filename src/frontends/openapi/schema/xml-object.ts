import { isRecord } from '../../../../templates/runtime/contract/json-value.ts';
import { definedMembers } from '../../../util/defined-members.ts';
import { type KeywordReader, type SchemaScope, reportKeyword } from './schema-scope.ts';

const nodeTypes: readonly unknown[] = ['element', 'attribute', 'text', 'cdata', 'none'];
const expected = 'an XML Object of `name`, `prefix`, `namespace`, `attribute`, `wrapped` and `nodeType`';

export const readXml: KeywordReader = (value, keyword, scope) => {
  if (!isRecord(value)) {
    reportKeyword(scope, keyword, expected);
    return;
  }
  const member = <T>(key: string, isFine: (found: unknown) => found is T): T | undefined =>
    readMember(value[key], isFine, scope);
  const xml = definedMembers({
    nodeType: member('nodeType', isNodeType),
    name: member('name', isText),
    prefix: member('prefix', isText),
    namespace: member('namespace', isText),
    attribute: member('attribute', isBoolean),
    wrapped: member('wrapped', isBoolean),
  });
  if (Object.keys(xml).length > 0) scope.out.xml = xml;
};

function readMember<T>(
  value: unknown,
  isFine: (found: unknown) => found is T,
  scope: SchemaScope,
): T | undefined {
  if (value === undefined || isFine(value)) return value;
  reportKeyword(scope, 'xml', expected);
  return undefined;
}

function isNodeType(value: unknown): value is string {
  return nodeTypes.includes(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}
