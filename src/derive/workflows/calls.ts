/** What workflows call, as far as their texts say it: an operation that is no tool is bound if one of them names it. */
import { keyWithoutVariableNames, operationKey } from '../../model/operation-key.ts';
import type { Operation, SourceModel } from '../../model/source-model.ts';
import { unescapePointerToken } from '../../util/json-schema.ts';

export function collectWorkflowCalls(sources: readonly SourceModel[]): ReadonlySet<string> {
  const calls = new Set<string>();
  for (const { workflows = [] } of sources) for (const { value } of workflows) collectCalls(value, calls);
  return calls;
}

function collectCalls(value: unknown, calls: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === 'string' && /^(?:call|operationId|operationPath)$/.test(name))
      calls.add(keyWithoutVariableNames(callOf(member)));
    else collectCalls(member, calls);
  }
}

/** `METHOD /path` of Arazzo's `operationPath`; an operationId without its source. */
export function callOf(text: string): string {
  const [, path = '', method = ''] = /#\/paths\/([^/]+)\/(\w+)$/.exec(text) ?? [];
  if (method !== '') return `${method.toUpperCase()} ${unescapePointerToken(path)}`;
  return text.replace(/^\$sourceDescriptions\.[\w-]+\.|^[\w-]+:/, '');
}

export function isCalled({ operationId = '', ...operation }: Operation, calls: ReadonlySet<string>): boolean {
  return calls.has(operationId) || calls.has(keyWithoutVariableNames(operationKey(operation)));
}
