import { expect, test } from 'vitest';
import { refuseUnusableHandlers } from '../../../templates/runtime/main/open-project.ts';
import { UsageError } from '../../../templates/runtime/contract/feature.ts';
import { newCatalog } from '../core/harness.ts';

const inputSchema = { type: 'object' as const };
const catalog = newCatalog({
  tools: [{ name: 'getPet', inputSchema }],
  resourceTemplates: [{ uriTemplate: 'pets://{petId}{?tag}', name: 'pet' }],
  prompts: [{ name: 'greet', arguments: [{ name: 'who' }] }],
});
const work = () => 'done';
const extra = { name: 'extra', inputSchema, handler: work };
const readable = { name: 'r', read: work };

/** An extra tool with arguments of these schemas. */
function mirrored(...schemas: object[]): object {
  const properties = Object.fromEntries(schemas.map((schema, index) => [`a${index}`, schema]));
  return { extraTools: [{ ...extra, inputSchema: { type: 'object', properties } }] };
}

const prompt = { arguments: [{ name: 'tone' }], handler: work };

test.each<[unknown, string]>([
  [null, '`handlers` must be an object.'],
  [
    { beforeRequst: work },
    '`beforeRequst`: there is no such member of `handlers`. Did you mean "beforeRequest"?',
  ],
  [{ constructor: work }, '`constructor`: there is no such member of `handlers`.'],
  [{ afterResponse: {} }, '`afterResponse` must be a function.'],
  [{ tools: [] }, '`tools` must be an object.'],
  [{ extraTools: {} }, '`extraTools` must be an array.'],
  [
    { tools: { getPets: work } },
    '`tools["getPets"]`: there is no such tool of the document. Did you mean "getPet"?',
  ],
  [{ tools: { constructor: work } }, '`tools["constructor"]`: there is no such tool of the document.'],
  [{ tools: { getPet: 'x' } }, '`tools["getPet"]` must be a function.'],
  [{ extraTools: ['x'] }, '`extraTools[0]` must be an object.'],
  [
    { extraTools: [{ ...extra, name: 'my tool' }] },
    '`extraTools[0]`: `name` must be 1 to 64 of A–Z, a–z, 0–9, "_" and "-", but is "my tool".',
  ],
  [
    { extraTools: [{ ...extra, name: 'my.tool' }] },
    '`extraTools[0]`: `name` must be 1 to 64 of A–Z, a–z, 0–9, "_" and "-", but is "my.tool".',
  ],
  [{ extraTools: [{ ...extra, name: undefined }] }, 'but is undefined.'],
  [
    { extraTools: [{ ...extra, name: 'getPet' }] },
    '`extraTools[0]`: a tool is named "getPet" already, and clients',
  ],
  [{ extraTools: [extra, extra] }, '`extraTools[1]`: a tool is named "extra" already'],
  [{ extraTools: [{ ...extra, _meta: [] }] }, '`extraTools[0]`: `_meta` must be an object.'],
  [
    { extraTools: [{ ...extra, _meta: { '-a': 1 } }] },
    '`extraTools[0]`: the key "-a" of `_meta` must be a name such as com.example/key',
  ],
  [
    { resources: { 'own://a': { ...readable, _meta: { '1.b/c': 1 } } } },
    'the key "1.b/c" of `_meta` must be',
  ],
  [{ prompts: { mine: { ...prompt, _meta: { '/': 1 } } } }, 'the key "/" of `_meta` must be'],
  [{ extraTools: [{ ...extra, prepare: 1 }] }, '`extraTools[0]`: `prepare` must be a function.'],
  [
    { extraTools: [{ ...extra, execution: { taskSupport: 'maybe' } }] },
    "`extraTools[0]`: `execution.taskSupport` must be 'forbidden', 'optional' or 'required'.",
  ],
  [
    mirrored({ type: 'string', 'x-mcp-header': '' }),
    '`extraTools[0]`: `inputSchema`: `x-mcp-header` "" is no name of a header.',
  ],
  [
    mirrored({ type: 'string', 'x-mcp-header': 'a b' }),
    '`extraTools[0]`: `inputSchema`: `x-mcp-header` "a b" is no name of a header.',
  ],
  [
    mirrored({ type: 'string', 'x-mcp-header': 7 }),
    '`extraTools[0]`: `inputSchema`: `x-mcp-header` 7 is no name of a header.',
  ],
  [mirrored({ type: 'number', 'x-mcp-header': 'A' }), 'must be on a property of the type string, integer or'],
  [mirrored({ anyOf: [{ type: 'string', 'x-mcp-header': 'A' }] }), 'reached through `properties` alone.'],
  [
    mirrored({ type: 'array', items: { type: 'string', 'x-mcp-header': 'A' } }),
    'reached through `properties`',
  ],
  [
    mirrored({ type: 'string', 'x-mcp-header': 'A' }, { type: 'string', 'x-mcp-header': 'a' }),
    '`extraTools[0]`: `inputSchema`: `x-mcp-header` "a" is given twice.',
  ],
  [{ extraTools: [{ ...extra, handler: 1 }] }, '`extraTools[0]`: `handler` must be a function.'],
  [{ extraTools: [{ ...extra, description: 1 }] }, '`extraTools[0]`: `description` must be a string.'],
  [
    { extraTools: [{ ...extra, inputSchema: {} }] },
    "`extraTools[0]`: `inputSchema` must be a JSON Schema with `type: 'object'` at the top.",
  ],
  [
    { extraTools: [{ ...extra, outputSchema: true }] },
    '`extraTools[0]`: `outputSchema` must be a JSON Schema with',
  ],
  [
    { extraTools: [{ ...extra, inputSchema: { type: 'object', properties: { a: 'string' } } }] },
    '`extraTools[0]`: `inputSchema`: `properties` must be an object of schemas.',
  ],
  [
    { extraTools: [{ ...extra, inputSchema: { type: 'object', required: true } }] },
    '`extraTools[0]`: `inputSchema`: `required` must be an array of names.',
  ],
  [
    { extraTools: [{ ...extra, inputSchema: { type: 'object', $ref: '#/$defs/x' } }] },
    "`extraTools[0]`: `inputSchema` can't be used: ",
  ],
  [
    {
      extraTools: [
        { ...extra, inputSchema: { type: 'object', $schema: 'http://json-schema.org/draft-07/schema#' } },
      ],
    },
    "`extraTools[0]`: `inputSchema` can't be used: ",
  ],
  [{ prompts: { mine: work } }, '`prompts["mine"]` must be an object with a `handler` function.'],
  [{ prompts: { mine: {} } }, '`prompts["mine"]` must be an object with a `handler` function.'],
  [
    { prompts: { mine: { handler: work, arguments: ['a'] } } },
    '`prompts["mine"]`: `arguments` must be an array of objects with a `name`.',
  ],
  [{ resources: { 'own://a': work } }, '`resources["own://a"]` must be an object with a `read` function.'],
  [{ resources: { 'own://a': { read: work } } }, '`resources["own://a"]`: `name` must be a string.'],
  [{ resources: { a: readable } }, '`resources["a"]`: the key must be a URI, with its scheme.'],
  [
    { resources: { 'own://a': { ...readable, mimeType: 1 } } },
    '`resources["own://a"]`: `mimeType` must be a string.',
  ],
  [
    { resources: { 'own://a': { ...readable, size: '3' } } },
    '`resources["own://a"]`: `size` must be a number of bytes.',
  ],
  [
    { resourceTemplates: { 'own://{id': readable } },
    '`resourceTemplates["own://{id"]`: the key must be a URI template (RFC 6570)',
  ],
  [
    { resourceTemplates: { 'own://{id}': {} } },
    '`resourceTemplates["own://{id}"]` must be an object with a `read` function.',
  ],
  [
    { resourceTemplates: { 'own://{id}': readable }, completions: { 'own://{id}': { idd: work } } },
    '`completions["own://{id}"]`: `idd`: there is no such argument there. Did you mean "id"?',
  ],
  [
    { completions: { gret: { who: work } } },
    '`completions["gret"]`: there is no such prompt or resource template. Did you mean "greet"?',
  ],
  [{ completions: { greet: work } }, '`completions["greet"]` must be an object of functions, by argument.'],
  [
    { completions: { greet: { whom: work } } },
    '`completions["greet"]`: `whom`: there is no such argument there. Did you mean "who"?',
  ],
  [{ completions: { greet: { who: ['Ann'] } } }, '`completions["greet"]`: `who` must be a function.'],
])('%j is refused', async (handlers, want) => {
  const check = refuseUnusableHandlers(handlers, catalog);
  await expect(check).rejects.toThrow(UsageError);
  await expect(check).rejects.toThrow(
    `The code in src/handlers/ can't be used:\n- ${want.startsWith('`') ? want : ''}`,
  );
  await expect(check).rejects.toThrow(want);
});

test('every fault is told at once', async () => {
  const handlers = { tools: { getPets: work }, completions: { x: {} }, prompts: 1 };
  await expect(refuseUnusableHandlers(handlers, catalog)).rejects.toThrow(
    /\n- .*prompts.*\n- .*getPets.*\n- .*completions/,
  );
});
