/**
 * An API, or a proxy before one, that sends interim answers (1xx) without end before its answer: a call ends, whether
 * the server reads the API directly or through the proxy.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';

import { openServer } from '../server.mjs';
import { callOf, outcomeOf } from '../session.mjs';
import { jsonAnswer, openWitness } from '../witness.mjs';

export const family = 'interim answers';

export async function open(folder) {
  const flood = { before: '' };
  const api = await openWitness(() => flood.before + jsonAnswer('{"ok":true}'));
  const [direct, proxied] = await Promise.all(
    [{ API_BASE_URL: `${api.url}/v1` }, { API_BASE_URL: 'http://api.example', HTTP_PROXY: api.url }].map(
      (env, at) => openIn(path.join(folder, String(at)), env),
    ),
  );
  return {
    direct,
    proxied,
    flood,
    witness: async () => ({ ...(await direct.witness()), api: api.requests.length }),
    close: async () => {
      await Promise.all([direct.close(), proxied.close()]);
      await api.close();
    },
  };
}

async function openIn(folder, env) {
  await mkdir(folder);
  return openServer(folder, { env, features: ['proxy'] });
}

const MANY = 2_000;
const hint = 'Link: </style.css>; rel=preload; as=style\r\n';

/** @type {[name: string, before: string][]} */
const floods = [
  [`${MANY} hints (103)`, `HTTP/1.1 103 Early Hints\r\n${hint}\r\n`.repeat(MANY)],
  [`${MANY} signs of life (102)`, 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(MANY)],
  [`${MANY} times that it goes on (100)`, 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(MANY)],
  [`${MANY} of a status that is not known (199)`, 'HTTP/1.1 199 X\r\n\r\n'.repeat(MANY)],
  ['100 hints', `HTTP/1.1 103 Early Hints\r\n${hint}\r\n`.repeat(100)],
  ['8 hints of 12 KiB', `HTTP/1.1 103 Early Hints\r\nLink: <${'x'.repeat(12_000)}>\r\n\r\n`.repeat(8)],
];

const clients = ['direct', 'proxied'];

export const rows = clients.flatMap((client) => [
  ...floods.map(([name, before]) => ({
    name: `${client}: ${name}`,
    want: 'tool error',
    // A GET that failed is repeated twice.
    reaches: { api: 3 },
    attack: (target) => flooded(target, client, before),
  })),
  {
    name: `${client}: a few hints, and what may follow`,
    want: '200',
    reaches: { api: 1 },
    attack: (target) => flooded(target, client, `HTTP/1.1 103 Early Hints\r\n${hint}\r\n`.repeat(5)),
  },
]);

async function flooded(target, client, before) {
  const { flood, [client]: server } = target;
  flood.before = before;
  return outcomeOf(await server.session().send(callOf('traced', {})));
}
