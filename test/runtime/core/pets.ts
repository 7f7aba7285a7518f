/** Tools of an API, two resources, and a tool in code that calls what it is told to: for what a server may do, and whom it asks. */
import { onTestFinished } from 'vitest';
import type { ExtraTool } from '../../../templates/runtime/types.ts';
import type { Reply, ServerParts, TestServer } from '../harness.ts';
import { startApi } from '../upstream-fake.ts';

export const inputSchema = { type: 'object' as const };
export const readOnlyHint = { readOnlyHint: true };

export const http = (method: string, path: string) => ({
  kind: 'http' as const,
  parameters: [],
  method,
  path,
});

/** Three tools of an API, two resources, and a tool in code that calls whatever it is told to. */
export async function openPets(parts: ServerParts = {}) {
  const api = await startApi(() => ({ json: { done: true } }));
  onTestFinished(async () => api.close());
  const byCode: ExtraTool = {
    name: 'byCode',
    inputSchema,
    annotations: readOnlyHint,
    handler: async ({ operation, tool }, context) =>
      typeof tool === 'string' ? context.call(tool, {}) : context.api['pets']?.[String(operation)]?.({}),
  };
  const shared: ServerParts = {
    baseUrl: api.url,
    handlers: { extraTools: [byCode, { name: 'silent', inputSchema, handler: () => 'x' }] },
    catalog: {
      tools: [
        { name: 'listPets', inputSchema, annotations: readOnlyHint },
        { name: 'addPet', inputSchema, annotations: { readOnlyHint: false, destructiveHint: false } },
        { name: 'dropPet', title: 'Drop', inputSchema, annotations: { destructiveHint: true } },
        { name: 'purgePets', inputSchema },
      ],
      resources: [
        { uri: 'pets://pets', name: 'pets' },
        { uri: 'pets://purge', name: 'purge' },
      ],
      resourceTemplates: [{ uriTemplate: 'pets://purge/{id}', name: 'purge' }],
    },
    bindings: {
      upstream: { servers: [{ url: 'https://pets.example' }], securitySchemes: {} },
      tools: {
        listPets: { do: http('GET', '/pets') },
        addPet: { do: http('POST', '/pets') },
        dropPet: { do: http('DELETE', '/pets') },
        purgePets: { do: http('GET', '/pets/purge') },
      },
      resources: {
        'pets://pets': { do: { kind: 'tool', name: 'listPets' } },
        'pets://purge': { do: { kind: 'tool', name: 'purgePets' } },
      },
      resourceTemplates: { 'pets://purge/{id}': { do: { kind: 'tool', name: 'purgePets' } } },
      operations: {
        pets: {
          head: { do: http('HEAD', '/pets'), input: inputSchema },
          put: { do: http('PUT', '/pets'), input: inputSchema },
        },
      },
    },
    ...parts,
  };
  return { api, parts: shared };
}

export const wordsOf = ({ result, error }: Reply): unknown =>
  error?.message ?? Reflect.get(result?.['content'] ?? {}, 0);

export const call = async (server: TestServer, name: string, args: object = {}): Promise<unknown> =>
  wordsOf(await server.ask('tools/call', { name, arguments: args }));
