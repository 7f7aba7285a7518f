import { isRecord } from '../../../templates/runtime/contract/json-value.ts';
import type { RouteRule } from './sources.ts';
import type { Faulty } from './fault.ts';
import { type Check, flag, listOf, memberFaults, oneOf, text, texts, unknownMembers } from './shape.ts';

const ROLES = ['tool', 'resource', 'template', 'exclude'];

const MEMBERS: Record<keyof RouteRule, Check> = {
  methods: texts,
  path: text,
  tags: texts,
  operationId: text,
  deprecated: flag,
  as: oneOf(...ROLES),
};

const rule: Check = (value, path) => {
  if (!isRecord(value)) return [{ path, problem: 'must be an object' }];
  const needs =
    value['as'] === undefined ? [{ path, problem: `needs "as", one of ${ROLES.join(', ')}` }] : [];
  return [
    ...unknownMembers(value, Object.keys(MEMBERS), path),
    ...needs,
    ...memberFaults(value, MEMBERS, path),
  ];
};

export const routeRules: Check = listOf(rule, 'must be a list of rules');

export function readRouteRules(value: unknown): RouteRule[] | Faulty {
  const faults = routeRules(value, []);
  return areRules(value, faults.length === 0) ? value : { faults };
}

function areRules(value: unknown, isSound: boolean): value is RouteRule[] {
  return isSound && Array.isArray(value);
}
