/** Route maps: an ordered list of rules that say what an operation becomes. From outside, so nothing is taken on trust. */
import type { RouteRule } from '../derive/index.ts';
import { isRecord, isStringList, unknownMember } from './shape.ts';

const ROLES = ['tool', 'resource', 'template', 'exclude'] as const;
const MEMBERS = ['methods', 'path', 'tags', 'operationId', 'deprecated', 'as'];

/** The rules, or what is wrong with them, in words that end a sentence. */
export function readRouteRules(value: unknown): RouteRule[] | { problem: string } {
  if (!Array.isArray(value)) return { problem: 'it is not a list of rules' };
  const rules: RouteRule[] = [];
  for (const [index, item] of value.entries()) {
    const rule = readRule(item);
    if (typeof rule === 'string') return { problem: `rule ${index + 1} ${rule}` };
    rules.push(rule);
  }
  return rules;
}

function readRule(item: unknown): RouteRule | string {
  if (!isRecord(item)) return 'is not an object';
  const stranger = unknownMember(item, MEMBERS);
  if (stranger !== undefined) return stranger;
  const { methods, path, tags, operationId, deprecated } = item;
  const as = ROLES.find((role) => role === item['as']);
  if (as === undefined) return `needs "as", one of ${ROLES.join(', ')}`;
  if (methods !== undefined && !isStringList(methods)) return '"methods" is not a list of texts';
  if (path !== undefined && typeof path !== 'string') return '"path" is not a text';
  if (tags !== undefined && !isStringList(tags)) return '"tags" is not a list of texts';
  if (operationId !== undefined && typeof operationId !== 'string') return '"operationId" is not a text';
  if (deprecated !== undefined && typeof deprecated !== 'boolean') return '"deprecated" is not true or false';
  return {
    ...(methods === undefined ? {} : { methods }),
    ...(path === undefined ? {} : { path }),
    ...(tags === undefined ? {} : { tags }),
    ...(operationId === undefined ? {} : { operationId }),
    ...(deprecated === undefined ? {} : { deprecated }),
    as,
  };
}
