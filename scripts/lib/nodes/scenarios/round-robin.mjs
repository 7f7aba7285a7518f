/** The secret alone: any node serves any request of any client. */
import { connectOfficial, officialClients } from '../official-clients.mjs';
import { RawModern, RawSession, describe, resultOf } from '../raw-client.mjs';
import { inParallel } from '../../run.mjs';
import { withApi } from '../api.mjs';
import { withFleet } from '../fleet.mjs';

/** Clients of each kind. */
const CLIENTS = 10;

/** Kind → opens one client, whose function makes a call and resolves to the id that was answered. */
const kinds = {
  ...Object.fromEntries(
    Object.keys(officialClients).map((name) => [
      name,
      async (url) => {
        const client = await connectOfficial(name, url);
        const call = async (id) => idOf(await client.callTool({ name: 'work', arguments: { id } }));
        return { call, close: () => client.close() };
      },
    ]),
  ),
  'plain messages of 2025-11-25': async (url) => {
    const session = await RawSession.open(url);
    return plain((id) => session.call('work', { id }));
  },
  'plain messages of 2026-07-28': async (url) => {
    const client = new RawModern(url);
    return plain((id) => client.call('work', { id }));
  },
};

/** @type {import('../scenarios.mjs').Run} */
export async function roundRobin({ main, figures, size: { nodes, calls } }) {
  for (const count of nodes)
    for (const [kind, open] of Object.entries(kinds)) {
      const done = await withApi(async (api) =>
        withFleet(
          await main([]),
          { count, env: { API_BASE_URL: api.url }, args: ['--rate-limit', 'off'] },
          (fleet) => callAll(fleet, open, { kind, calls, api }),
        ),
      );
      figures.atLeast({
        what: `${count} nodes, ${kind}`,
        ours: `${done.served.join(' + ')} requests`,
        other: done.fault ?? '',
        figure: done.answered,
        limit: calls,
        unit: (value) => `${value} of ${calls}`,
      });
    }
}

async function callAll(fleet, open, { kind, calls, api }) {
  const faults = [];
  let answered = 0;
  const each = calls / CLIENTS;
  await inParallel(Array.from({ length: CLIENTS }), CLIENTS, async (_, number) => {
    try {
      const client = await open(fleet.url);
      for (let index = 0; index < each; index++) {
        const id = `${kind} ${number} ${index}`;
        await client.call(id).then(
          (got) => got === id && answered++,
          (error) => faults.push(error.message),
        );
      }
      await client.close();
    } catch (error) {
      faults.push(error.message);
    }
  });
  if (api.doubled() > 0) faults.push(`${api.doubled()} calls were done more than once.`);
  if (api.doubled() > 0) answered = 0;
  return { answered, served: fleet.balancer.served, fault: faults[0]?.slice(0, 120) };
}

function plain(send) {
  const call = async (id) => {
    const exchanged = await send(id);
    const result = resultOf(exchanged);
    if (result === undefined) throw new Error(describe(exchanged));
    return idOf(result);
  };
  return { call, close: async () => undefined };
}

function idOf({ structuredContent }) {
  return structuredContent?.id;
}
