/** Servers of compiled models in this process, without a client between. */
import { FEATURES } from '../../dist/src/model/feature-table.js';
import { Server } from '../../dist/templates/runtime/server.js';
import { Session } from '../../dist/templates/runtime/session.js';

/** `names`: of rows of the table of features. */
export function makeFeatures(names) {
  const rows = FEATURES.filter(({ name }) => names.includes(name));
  return Promise.all(rows.map(async ({ load }) => (await load())()));
}

/** Starts one, in a session of 2025-11-25. Returns what calls a tool, and resolves with the text of the answer. */
export async function openInProcess(definition, options = {}) {
  const info = { name: 'in-process', version: '1' };
  const server = new Server({ info, ...definition }, { env: {}, report: console.error, ...options });
  await server.start();
  const exchange = { session: new Session(), send: async () => undefined };
  const put = (message) => server.receive({ jsonrpc: '2.0', ...message }, exchange);
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: info };
  await put({ id: 0, method: 'initialize', params });
  await put({ method: 'notifications/initialized' });
  return async (name, args) => {
    const { text } = await put({ id: 1, method: 'tools/call', params: { name, arguments: args } });
    return text;
  };
}
