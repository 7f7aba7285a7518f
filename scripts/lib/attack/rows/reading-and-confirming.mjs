/** `--read-only` and `--confirm destructive`: a tool that writes stays out of reach, or runs only after its user's yes. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { openGuarded, refusalOf } from '../guarded-server.mjs';
import { bearer } from '../issuer.mjs';
import { ask, callOf, initialize, messageOf, modern, sendModern, Session } from '../session.mjs';

export const family = 'reading and confirming';

/** One program, started in three ways; the third time its definition has `readOnly: false`. `touch` and `store` may change anything; `admin` can be a task. */
export async function open(folder) {
  const reading = await openGuarded(folder, { args: ['--read-only'], options: ['--surface', 'both'] });
  const args = ['--confirm', 'destructive'];
  const confirming = await openGuarded(folder, { args, like: reading });
  await switchOffReadOnly(join(reading.main, '../server.js'));
  const defaulted = await openGuarded(folder, { args: ['--read-only'], like: reading });
  return {
    reading,
    confirming,
    defaulted,
    witness: async () =>
      [await confirming.witness(), await defaulted.witness()].reduce(sum, await reading.witness()),
    close: async () => {
      await defaulted.close();
      await confirming.close();
      await reading.close();
    },
  };
}

async function switchOffReadOnly(file) {
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace('export const server = {', '$& readOnly: false,'));
}

function sum(one, other) {
  return Object.fromEntries(Object.entries(one).map(([figure, count]) => [figure, count + other[figure]]));
}

const object = { name: 'x' };
const by = (tool, name, args = {}) => callOf(tool, { name, arguments: args });
const tokenOf = (server) => server.issuer.token({ scope: 'admin' });

/** The error, or in short what the result says. */
function heard(answer) {
  if (answer.status !== 200) return refusalOf(answer);
  const { result, error } = messageOf(answer);
  if (error !== undefined) return `error ${error.code}`;
  if (result.inputRequests !== undefined) return 'asked';
  const words = (result.content ?? []).map(({ text }) => text).join('\n');
  if (result.isError !== true) return `called: ${words}`;
  if (/^Unknown tool/.test(words)) return 'unknown';
  return /was not run/.test(words) ? 'not run' : words;
}

/** @type {[name: string, call: object, want: string][]} */
const writes = [
  ['a tool that writes', callOf('touch', {}), 'error -32602'],
  ['an operation that writes', callOf('store', object), 'error -32602'],
  ['a tool that writes, as a task', callOf('admin', {}, { task: { ttl: 60_000 } }), 'error -32602'],
  ['the tool that calls such tools', by('call_destructive_tool', 'touch'), 'error -32602'],
  ['an operation by the tool that reads', by('call_read_tool', 'store', object), 'unknown'],
  ['a tool by the tool that reads', by('call_read_tool', 'touch'), 'unknown'],
  ['its description', callOf('describe_tool', { name: 'touch' }), 'unknown'],
];

const readingRows = writes.flatMap(([name, call, want]) => [
  {
    name: `read-only: ${name}, in a session`,
    want,
    attack: async ({ reading }) => heard(await (await reading.as({ scope: 'admin' })).send(call)),
  },
  {
    name: `read-only: ${name}, in 2026-07-28`,
    want,
    attack: async ({ reading }) => heard(await sendModern(reading.url, call, bearer(await tokenOf(reading)))),
  },
]);

/** Where every tool is served, these reach one; other spellings of its name never do. */
const defaultedRows = writes
  .filter(([name]) => !name.endsWith('its name'))
  .map(([name, call, want]) => ({
    name: `read-only, and false in the definition: ${name}`,
    want,
    attack: async ({ defaulted }) => heard(await (await defaulted.as({ scope: 'admin' })).send(call)),
  }));

/** Sends it as a client that can't ask anybody. */
async function sendUnable(server, call) {
  const { message, headers } = modern(call);
  const _meta = { ...message.params._meta, 'io.modelcontextprotocol/clientCapabilities': {} };
  const body = JSON.stringify({ ...message, params: { ...message.params, _meta } });
  return ask(server.url, { body, headers: { ...headers, ...bearer(await tokenOf(server)) } });
}

async function sendUnableInSession(server, call) {
  const own = bearer(await tokenOf(server));
  const params = { ...initialize.params, capabilities: {} };
  const { headers } = await ask(server.url, {
    body: JSON.stringify({ ...initialize, params }),
    headers: own,
  });
  const session = new Session(server.url, String(headers['mcp-session-id']), own);
  await session.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return session.send(call);
}

/** @type {[name: string, call: object][]} */
const destructive = [
  ['a tool', callOf('touch', {})],
  ['an operation', callOf('store', object)],
  ['a tool by another', by('call_destructive_tool', 'touch')],
  ['an operation by another', by('call_destructive_tool', 'store', object)],
];

const unable = destructive.flatMap(([name, call]) => [
  {
    name: `confirm: ${name}, by a client that can't ask, in a session`,
    want: 'not run',
    attack: async ({ confirming }) => heard(await sendUnableInSession(confirming, call)),
  },
  {
    name: `confirm: ${name}, by a client that can't ask, in 2026-07-28`,
    want: '400',
    attack: async ({ confirming }) => heard(await sendUnable(confirming, call)),
  },
]);

const yes = { action: 'accept', content: { confirm: true } };

/** @type {[name: string, answer: object, want: string][]} */
const answers = [
  ['no', { action: 'decline' }, 'not run'],
  ['a form that is closed', { action: 'cancel' }, 'not run'],
  ['yes, with a form that says no', { action: 'accept', content: { confirm: false } }, 'not run'],
  ['yes, in text', { action: 'accept', content: { confirm: 'true' } }, 'error -32602'],
  ['yes, without a form', { action: 'accept' }, 'error -32602'],
  ['a word that is no answer', { ...yes, action: 'yes' }, 'error -32602'],
];

/** What a client sends with a call that it was asked to confirm. */
async function answerTo(server, call, answer, own) {
  const { inputRequests, requestState } = messageOf(await sendModern(server.url, call, own)).result;
  const [key] = Object.keys(inputRequests);
  return { inputResponses: { [key]: answer }, requestState };
}

const carrying = (call, carried) => ({ ...call, params: { ...call.params, ...carried } });

/** Asks by one call, and sends the answer with another. */
async function answered(server, asking, answer, call, changed = {}) {
  const own = bearer(await tokenOf(server));
  const carried = { ...(await answerTo(server, asking, answer, own)), ...changed };
  return heard(await sendModern(server.url, carrying(call, carried), own));
}

/** @type {[when: string, send: (send: () => Promise<string>) => Promise<string[]>][]} */
const repeated = [
  ['at one time', (send) => Promise.all([send(), send(), send(), send(), send()])],
  [
    'one after the other',
    async (send) => [await send(), await send(), await send(), await send(), await send()],
  ],
];

const confirmingRows = [
  ...unable,
  ...answers.map(([name, answer, want]) => ({
    name: `confirm: ${name}`,
    want,
    attack: async ({ confirming }) => answered(confirming, callOf('touch', {}), answer, callOf('touch', {})),
  })),
  {
    name: 'confirm: yes before anybody was asked',
    want: 'asked',
    attack: async ({ confirming }) =>
      answered(confirming, callOf('touch', {}), yes, callOf('touch', {}), { requestState: undefined }),
  },
  {
    name: 'confirm: yes under a guessed key',
    want: 'asked',
    attack: async ({ confirming }) => {
      const call = callOf('touch', {}, { inputResponses: { 'ask-1': yes } });
      return heard(await sendModern(confirming.url, call, bearer(await tokenOf(confirming))));
    },
  },
  {
    name: 'confirm: yes to one id, for another id that nobody was asked for',
    want: 'asked',
    attack: async ({ confirming }) => {
      const [one, other] = ['1', '2'].map((text) => callOf('touch', { text }));
      return answered(confirming, one, yes, other, { requestState: undefined });
    },
  },
  ...repeated.map(([when, sendAll]) => ({
    name: `confirm: one yes, five times ${when}`,
    want: 'called once',
    reaches: { handlers: 1 },
    attack: async ({ confirming }) => {
      const own = bearer(await tokenOf(confirming));
      const call = callOf('touch', {});
      const carried = await answerTo(confirming, call, yes, own);
      const send = async () => heard(await sendModern(confirming.url, carrying(call, carried), own));
      const outcomes = await sendAll(send);
      const others = outcomes.filter((outcome) => outcome !== 'error -32602');
      return others.join() === 'called: touched' ? 'called once' : others.join();
    },
  })),
  {
    name: 'confirm: yes of another caller',
    want: 'error -32602',
    attack: async ({ confirming }) => {
      const [alice, bob] = await Promise.all(
        ['alice', 'bob'].map((sub) => confirming.issuer.token({ sub, scope: 'admin' })),
      );
      const call = callOf('touch', {});
      const carried = await answerTo(confirming, call, yes, bearer(alice));
      return heard(await sendModern(confirming.url, carrying(call, carried), bearer(bob)));
    },
  },
  {
    name: 'confirm: yes under other ids, in a session',
    want: '200',
    attack: async ({ confirming }) => {
      const session = await confirming.as({ scope: 'admin' });
      const call = session.send(callOf('touch', {}));
      // The question is open by the time that some of them arrive.
      for (let at = 0; at < 20; at++) await session.send({ jsonrpc: '2.0', id: `guess-${at}`, result: yes });
      // Otherwise the call would wait for an answer.
      await session.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
      return String((await call).status);
    },
  },
  {
    name: 'confirm: yes with a state that is made up',
    want: 'error -32602',
    attack: async ({ confirming }) =>
      answered(confirming, callOf('touch', {}), yes, callOf('touch', {}), { requestState: 'made-up.state' }),
  },
  {
    name: 'confirm: yes to other arguments',
    want: 'error -32602',
    attack: async ({ confirming }) =>
      answered(confirming, callOf('touch', { text: 'a' }), yes, callOf('touch', { text: 'b' })),
  },
  {
    name: 'confirm: yes to another tool',
    want: 'error -32602',
    attack: async ({ confirming }) => answered(confirming, callOf('touch', {}), yes, callOf('store', object)),
  },
];

export const rows = [...readingRows, ...defaultedRows, ...confirmingRows];
