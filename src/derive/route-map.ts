import type { RouteRule } from '../config/options/sources.ts';
import type { Operation } from '../model/source-model.ts';
import { globTest } from '../../templates/runtime/contract/glob.ts';

export type Route = RouteRule['as'];

export function compileRouteMap(rules: readonly RouteRule[]): (operation: Operation) => Route | undefined {
  const compiled = rules.map((rule) => ({ as: rule.as, matches: compileRule(rule) }));
  return (operation) => compiled.find(({ matches }) => matches(operation))?.as;
}

function compileRule({
  methods,
  path,
  tags,
  operationId,
  deprecated,
}: RouteRule): (operation: Operation) => boolean {
  const upper = methods?.map((method) => method.toUpperCase());
  const pathTest = path === undefined ? undefined : globTest(path);
  const idTest = operationId === undefined ? undefined : globTest(operationId.replace(/\*+/g, '**'));
  return (operation) =>
    (upper === undefined || upper.includes(operation.method.toUpperCase())) &&
    (pathTest === undefined || pathTest(operation.path)) &&
    (tags === undefined || tags.some((tag) => operation.tags.includes(tag))) &&
    (idTest === undefined || idTest(operation.operationId ?? '')) &&
    (deprecated === undefined || deprecated === (operation.deprecated === true));
}
