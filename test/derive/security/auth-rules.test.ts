import { expect, test } from 'vitest';
import { resolveAuthRules, mapScopesOfModel } from '../../../src/derive/security/auth-rules.ts';
import { getPet, petstore as model } from '../../emit/models.ts';

test.each([
  [undefined, undefined],
  ['none' as const, undefined],
  ['oauth' as const, {}],
  [{ scopes: ['a'] }, { scopes: ['a'] }],
])('%j has the rules %j', (choice, rules) => {
  expect(resolveAuthRules(choice)).toEqual(rules);
});

test.each([
  ['none', undefined, ['pets:read', 'constructor']],
  ['another', { 'pets:read': ['read'] }, ['read', 'constructor']],
  ['several, each once', { 'pets:read': ['a', 'constructor'] }, ['a', 'constructor']],
  ['nothing', { 'pets:read': [] }, ['constructor']],
])('a scope that the map makes %s', (_, scopeMap, scopes) => {
  const binding = { do: { kind: 'tool' as const, name: 'getPet' }, scopes: ['pets:read', 'constructor'] };
  const given = {
    ...model,
    tools: [{ ...getPet, scopes: binding.scopes }],
    resources: [{ uri: 'api://pet', name: 'pet', binding, origin: getPet.origin }],
  };
  const mapped = mapScopesOfModel(given, scopeMap === undefined ? {} : { scopeMap });
  expect([mapped.tools[0]?.scopes, mapped.resources[0]?.binding.scopes]).toEqual([scopes, scopes]);
});
