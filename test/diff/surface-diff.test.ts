// Differences of two surfaces, item by item.
import { expect, test } from 'vitest';
import { diffSurfaces } from '../../src/diff/surface-diff.ts';
import type { Surface, SurfaceTool } from '../../src/diff/surface.ts';

const empty: Surface = { tools: [], resources: [], resourceTemplates: [], prompts: [] };
const tool = (changes: Partial<SurfaceTool> = {}): SurfaceTool => ({
  name: 'find',
  inputSchema: { type: 'object' },
  ...changes,
});
const tools = (...all: SurfaceTool[]): Surface => ({ ...empty, tools: all });
const resource = (changes: object = {}): Surface => ({
  ...empty,
  resources: [{ uri: 'a://x', name: 'x', ...changes }],
});
const template = (uriTemplate: string): Surface => ({
  ...empty,
  resourceTemplates: [{ uriTemplate, name: 'x' }],
});
const prompt = (...args: { name: string; required?: boolean; description?: string }[]): Surface => ({
  ...empty,
  prompts: [{ name: 'p', arguments: args }],
});

const rows: [what: string, before: Surface, after: Surface, wanted: string[]][] = [
  ['nothing', tools(tool()), tools(tool()), []],
  [
    'a server that is started by another command',
    { ...empty, command: 'pets-mcp' },
    { ...empty, command: 'zoo-mcp' },
    ['breaking server zoo-mcp renamed: renamed from pets-mcp'],
  ],
  ['a server whose command is not known', { ...empty, command: 'pets-mcp' }, empty, []],
  ['a new tool', empty, tools(tool()), ['compatible tool find added: added']],
  ['a lost tool', tools(tool()), empty, ['breaking tool find removed: removed']],
  [
    'a new name for the same work',
    tools(tool({ key: 'GET /a', title: 'A' }), tool({ name: 'other', key: 'GET /b' })),
    tools(tool({ name: 'search', key: 'GET /a', title: 'B' }), tool({ name: 'other', key: 'GET /b' })),
    [
      'breaking tool search renamed: renamed from find',
      'compatible tool search title-changed: title changed',
    ],
  ],
  [
    'a variable of the path that has another name',
    tools(
      tool({
        name: 'get_pets_id',
        key: 'GET /pets/{id}',
        inputSchema: { type: 'object', properties: { id: {} }, required: ['id'] },
      }),
    ),
    tools(
      tool({
        name: 'get_pets_petId',
        key: 'GET /pets/{petId}',
        inputSchema: { type: 'object', properties: { petId: {} }, required: ['petId'] },
      }),
    ),
    [
      'breaking tool get_pets_petId renamed: renamed from get_pets_id',
      'breaking tool get_pets_petId member-removed: input id removed',
      'breaking tool get_pets_petId required-member-added: input petId added, and required',
    ],
  ],
  [
    'two operations of one shape',
    tools(tool({ name: 'a', key: 'GET /pets/{a}' })),
    tools(tool({ name: 'b', key: 'GET /pets/{b}' }), tool({ name: 'c', key: 'GET /pets/{c}' })),
    ['compatible tool b added: added', 'compatible tool c added: added', 'breaking tool a removed: removed'],
  ],
  [
    'a name that other work has now',
    tools(tool({ key: 'GET /a' }), tool({ name: 'search', key: 'GET /b' })),
    tools(tool({ name: 'search', key: 'GET /a' })),
    ['breaking tool find removed: removed'],
  ],
  [
    'words',
    tools(
      tool({ title: 'A', description: 'a', icons: [{ src: 'https://a.example/a.png' }], _meta: { a: 1 } }),
    ),
    tools(tool({ title: 'B', description: 'b' })),
    [
      'compatible tool find title-changed: title changed',
      'compatible tool find description-changed: description changed',
      'compatible tool find icons-changed: icons changed',
      'compatible tool find meta-changed: _meta changed',
    ],
  ],
  [
    'a hint that let clients go on without asking',
    tools(tool({ annotations: { readOnlyHint: true } })),
    tools(tool()),
    ['breaking tool find safety-lost: readOnlyHint changed from true to false'],
  ],
  [
    'destructive is what a tool is that does not say',
    tools(tool({ annotations: { destructiveHint: false } })),
    tools(tool({ annotations: {} })),
    ['breaking tool find safety-lost: destructiveHint changed from false to true'],
  ],
  [
    'a hint that lets clients go on now',
    tools(tool()),
    tools(tool({ annotations: { idempotentHint: true, openWorldHint: false } })),
    [
      'compatible tool find safety-gained: idempotentHint changed from false to true',
      'compatible tool find annotation-changed: openWorldHint changed from true to false',
    ],
  ],
  [
    'scopes',
    tools(tool({ scopes: ['a', 'b'] })),
    tools(tool({ scopes: ['b', 'c'] })),
    [
      'breaking tool find scope-added: scope c needed',
      'compatible tool find scope-removed: scope a no longer needed',
    ],
  ],
  ['scopes that are not known', tools(tool()), tools(tool({ scopes: ['a'] })), []],
  [
    'tasks by choice',
    tools(tool()),
    tools(tool({ execution: { taskSupport: 'optional' } })),
    ['compatible tool find task-support-gained: support of tasks changed from forbidden to optional'],
  ],
  [
    'tasks alone',
    tools(tool({ execution: { taskSupport: 'optional' } })),
    tools(tool({ execution: { taskSupport: 'required' } })),
    ['breaking tool find task-support-lost: support of tasks changed from optional to required'],
  ],
  [
    'an argument and a result',
    tools(
      tool({
        inputSchema: { type: 'object', properties: { a: { type: 'string' } } },
        outputSchema: { type: 'object', properties: { r: { type: 'string' } } },
      }),
    ),
    tools(
      tool({
        inputSchema: { type: 'object', properties: { a: { type: ['string', 'null'] } } },
        outputSchema: { type: 'object', properties: { r: { type: ['string', 'null'] } } },
      }),
    ),
    [
      'compatible tool find type-widened: input a type changed from string to string or null',
      'breaking tool find type-widened: output r type changed from string to string or null',
    ],
  ],
  [
    'a result that is described now',
    tools(tool()),
    tools(tool({ outputSchema: { type: 'object' } })),
    ['compatible tool find result-described: output schema added'],
  ],
  [
    'a result that is not described any more',
    tools(tool({ outputSchema: { type: 'object' } })),
    tools(tool()),
    ['breaking tool find result-not-described: output schema removed'],
  ],
  ['a new resource', empty, resource(), ['compatible resource a://x added: added']],
  [
    'a resource that is something else',
    resource({ mimeType: 'text/plain', annotations: { priority: 1 } }),
    resource({ name: 'y' }),
    [
      'compatible resource a://x annotation-changed: name changed from x to y',
      'breaking resource a://x media-type-changed: media type changed from text/plain to none',
      'compatible resource a://x annotation-changed: annotations changed',
    ],
  ],
  [
    'a template with another variable',
    template('a://x/{id}'),
    template('a://x/{name}'),
    [
      'compatible resource template a://x/{name} added: added',
      'breaking resource template a://x/{id} removed: removed',
    ],
  ],
  [
    'a template with more variables of the query, whose old URIs fit still',
    template('a://x/{id}{?b}'),
    template('a://x/{id}{?a,b}'),
    ['compatible resource template a://x/{id}{?a,b} member-added: input a added'],
  ],
  [
    'arguments of a prompt',
    prompt({ name: 'a' }, { name: 'b', required: true }, { name: 'c' }),
    prompt(
      { name: 'a', required: true },
      { name: 'b', description: 'B' },
      { name: 'd' },
      { name: 'e', required: true },
    ),
    [
      'breaking prompt p became-required: input a required now',
      'compatible prompt p became-optional: input b no longer required',
      'compatible prompt p description-changed: input b description changed',
      'breaking prompt p member-removed: input c removed',
      'compatible prompt p member-added: input d added',
      'breaking prompt p required-member-added: input e added, and required',
    ],
  ],
];

test.each(rows)('%s', (_, before, after, wanted) => {
  const { changes, breaking, compatible } = diffSurfaces(before, after);
  const shown = changes.map(({ effect, item, name, kind, side, at, text }) => {
    const place = [side, at].filter((part) => part !== undefined).join(' ');
    return `${effect} ${item} ${name} ${kind}: ${at === undefined ? '' : `${place} `}${text}`;
  });
  expect(shown).toEqual(wanted);
  expect([breaking, compatible]).toEqual([
    wanted.filter((line) => line.startsWith('breaking')).length,
    wanted.filter((line) => line.startsWith('compatible')).length,
  ]);
});

test.each([
  ['search', undefined, true, [{ name: 'find', kind: 'pinned', effect: 'compatible' }]],
  ['search', true, undefined, [{ name: 'find', kind: 'no-longer-pinned', effect: 'breaking' }]],
  ['search', true, true, []],
  ['both', true, undefined, []],
] as const)('pins of the surface %s: from %s to %s', (surface, was, is, want) => {
  const pinned = (pin?: true): Surface => ({ ...tools(tool(pin && { pin })), surface });
  expect(diffSurfaces(pinned(was), pinned(is)).changes).toMatchObject(want);
});
