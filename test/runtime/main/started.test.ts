// `started`: the project's own code has the running server, and real clients hear what it tells.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { expect, onTestFinished, test } from 'vitest';
import { metaOf } from '../rules/subject.ts';
import { startProject, type TestProject, writeProject } from './project.ts';

const inputSchema = `inputSchema: { type: 'object' }`;
const handlers = `(() => {
  let server;
  const more = { name: 'more', ${inputSchema}, handler: () => 'more' };
  const touch = () => {
    server.resourceUpdated('own://b');
    server.resourceUpdated('own://a');
    server.addTool(more);
    return 'touched';
  };
  const resource = { name: 'r', read: () => 'words' };
  return {
    extraTools: [{ name: 'touch', ${inputSchema}, handler: touch }],
    resources: { 'own://a': resource, 'own://b': resource },
    started: async (running) => {
      server = running;
      return () => console.error('ended well');
    },
  };
})()`;

function projectOf(source: string): TestProject {
  const project = writeProject({ handlers: source });
  onTestFinished(project.remove);
  return project;
}

/** Notifications about a subscribed resource and about the tools. */
async function hear(transport: Transport): Promise<unknown[]> {
  const client = new Client({ name: 'client', version: '0' });
  onTestFinished(() => client.close());
  const updated = new Promise((resolve) =>
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => resolve(params)),
  );
  const changed = new Promise((resolve) =>
    client.setNotificationHandler(ToolListChangedNotificationSchema, ({ method }) => resolve(method)),
  );
  await client.connect(transport);
  await client.subscribeResource({ uri: 'own://a' });
  await client.callTool({ name: 'touch' });
  const heard = await Promise.all([updated, changed]);
  const { tools } = await client.listTools();
  return [...heard, tools.map(({ name }) => name)];
}

const wanted = [{ uri: 'own://a' }, 'notifications/tools/list_changed', ['touch', 'more']];

test('a client on stdio hears of changes', async () => {
  const { main, dir } = projectOf(handlers);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [main],
    cwd: dir,
    stderr: 'ignore',
  });
  expect(await hear(transport)).toEqual(wanted);
});

test('an ending that fails is in the log, and the audit log still gets its lines', async () => {
  const failing = handlers.replace("console.error('ended well')", "{ throw new Error('no end') }");
  const { child, output, exit } = startProject(projectOf(failing), ['--audit', 'stderr']);
  const params = { name: 'touch', _meta: metaOf() };
  child.stdin.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`);
  expect(await exit).toBe(0);
  expect(output.stderr).toMatch(/^pets: error: Error: no end\n/m);
  expect(output.stderr).toContain('"tool":"touch"');
});

test('a `started` that fails keeps the server from serving', async () => {
  const { output, exit } = startProject(projectOf(`{ started: () => { throw new Error('no feed'); } }`));
  expect([await exit, output.stdout]).toEqual([1, '']);
  expect(output.stderr).toMatch(
    /^pets: `started` of src\/handlers\/ failed\. Error: no feed\n {4}at started /,
  );
});
