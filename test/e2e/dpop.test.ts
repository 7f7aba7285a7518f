// Tokens that are bound to a key: the official client, an authorization server that others wrote, and an emitted server.
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import {
  Client,
  DpopSession,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

import { freePort } from '../../scripts/lib/free-port.mjs';
import {
  type AuthorizationServer,
  authorize,
  startAuthorizationServer,
} from './support/authorization-server.ts';
import { type StartedServer, startServer } from './support/clients.ts';
import { mcpgen, root } from './support/command.ts';
import { temporaryFolder } from './support/project.ts';
import { RememberingProvider } from './support/remembering-provider.ts';

const TOOLS = `import type { Context } from 'mcpgen/runtime';

/**
 * Says who calls.
 * @tool whoami
 */
export function whoami(context: Context): string {
  return \`\${context.auth?.subject} by \${context.auth?.confirmation?.jkt}\`;
}
`;

let folder: string;
let project: string;
let authorization: AuthorizationServer;

beforeAll(async () => {
  folder = await temporaryFolder();
  project = path.join(folder, 'notes-mcp');
  await writeFile(path.join(folder, 'tools.ts'), TOOLS);
  const config = {
    typescript: { files: ['tools.ts'] },
    name: 'notes-mcp',
    auth: { scopes: ['notes.read'] },
    features: ['http', 'dpop'],
    output: 'notes-mcp',
  };
  await writeFile(path.join(folder, 'mcpgen.config.json'), JSON.stringify(config));
  const { code, stderr } = await mcpgen(['generate', folder]);
  if (code !== 0) throw new Error(stderr);
  await mkdir(path.join(project, 'node_modules'));
  await symlink(path.join(root, 'node_modules/jose'), path.join(project, 'node_modules/jose'));
  authorization = await startAuthorizationServer('notes.read');
});

afterAll(async () => {
  authorization.close();
  await rm(folder, { recursive: true, force: true });
});

async function serve(more: Record<string, string>): Promise<StartedServer & { endpoint: string }> {
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${String(port)}/mcp`;
  const env = { MCP_AUTH_ISSUER: authorization.issuer, MCP_AUTH_AUDIENCE: endpoint, ...more };
  const server = await startServer(project, { env, port });
  onTestFinished(() => server.stop());
  return { ...server, endpoint };
}

class BoundProvider extends RememberingProvider implements Pick<OAuthClientProvider, 'dpop'> {
  readonly session: DpopSession;

  constructor(session: DpopSession) {
    super();
    this.session = session;
  }

  dpop(): DpopSession {
    return this.session;
  }
}

test.each([
  ['2025-11-25', 'legacy' as const, {}],
  ['2026-07-28', { pin: '2026-07-28' }, {}],
  ['2025-11-25, with nonces', 'legacy' as const, { MCP_AUTH_DPOP_NONCE: 'required' }],
  ['2026-07-28, with nonces', { pin: '2026-07-28' }, { MCP_AUTH_DPOP_NONCE: 'required' }],
])('a bound token, and twenty calls with a proof each: %s', async (_, mode, env) => {
  const { endpoint } = await serve({ MCP_AUTH_DPOP: 'required', ...env });
  const provider = new BoundProvider(await DpopSession.create());
  const connect = async (): Promise<[Client, StreamableHTTPClientTransport, Promise<void>]> => {
    const client = new Client({ name: 'mcpgen-tests', version: '1.0.0' }, { versionNegotiation: { mode } });
    const transport = new StreamableHTTPClientTransport(new URL(endpoint), { authProvider: provider });
    onTestFinished(() => client.close());
    return Promise.resolve([client, transport, client.connect(transport)]);
  };
  const [, first, refused] = await connect();
  await expect(refused).rejects.toThrow(/nauthorized/);
  const page = provider.visited.at(-1);
  if (page === undefined) throw new Error('The person was sent nowhere.');
  await first.finishAuth(await authorize(page, provider.redirectUrl));
  expect(provider.tokens()?.token_type).toBe('DPoP');
  const [client, , connected] = await connect();
  await connected;
  for (let calls = 0; calls < 20; calls++)
    expect(JSON.stringify(await client.callTool({ name: 'whoami', arguments: {} }))).toContain(
      `alice by ${provider.session.thumbprint}`,
    );
  expect(provider.visited).toHaveLength(1);

  // The token alone, as a thief would have it.
  const stolen = provider.tokens()?.access_token ?? '';
  for (const authorization of [`Bearer ${stolen}`, `DPoP ${stolen}`]) {
    const headers = {
      authorization,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const { status } = await fetch(endpoint, { method: 'POST', headers, body: '{}' });
    expect(status).toBe(401);
  }
});
