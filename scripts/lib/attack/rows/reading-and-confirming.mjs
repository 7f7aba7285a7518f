/** `--read-only` and `--confirm destructive`: a tool that writes stays out of reach, or runs only after its user's yes. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { openGuarded, refusalOf } from '../guarded-server.mjs';
import { bearer } from '../issuer.mjs';
import { ANY_ANSWER, ANY_STATE, removal } from '../prove/check.mjs';
import { callOf, messageOf, sendModern } from '../session.mjs';

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
  await writeFile(file, text.replace('defineServer({', '$& readOnly: false,'));
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

const writes = [
  ['a tool that writes', callOf('touch', {}), 'error -32602'],
  ['a tool by the tool that reads', by('call_read_tool', 'touch'), 'unknown'],
  ['its description', callOf('describe_tool', { name: 'touch' }), 'unknown'],
];

const readingRows = [
  ...writes.map(([name, call, want]) => ({
    name: `read-only: ${name}`,
    want,
    attack: async ({ reading }) => heard(await (await reading.as({ scope: 'admin' })).send(call)),
  })),
  {
    name: 'read-only, and false in the definition: a tool that writes',
    want: 'error -32602',
    attack: async ({ defaulted }) =>
      heard(await (await defaulted.as({ scope: 'admin' })).send(callOf('touch', {}))),
  },
];

const yes = { action: 'accept', content: { confirm: true } };

/** What a client sends with a call that it was asked to confirm: yes. */
async function answerTo(server, call, own) {
  const { inputRequests, requestState } = messageOf(await sendModern(server.url, call, own)).result;
  const [key] = Object.keys(inputRequests);
  return { inputResponses: { [key]: yes }, requestState };
}

const carrying = (call, carried) => ({ ...call, params: { ...call.params, ...carried } });

/** Asks by one call, and sends the answer with another. */
async function answered(server, asking, call, changed = {}) {
  const own = bearer(await tokenOf(server));
  const carried = { ...(await answerTo(server, asking, own)), ...changed };
  return heard(await sendModern(server.url, carrying(call, carried), own));
}

const repeated = [
  ['at one time', (send) => Promise.all([send(), send(), send(), send(), send()])],
  [
    'one after the other',
    async (send) => [await send(), await send(), await send(), await send(), await send()],
  ],
];

const confirmingRows = [
  {
    name: 'confirm: yes before anybody was asked',
    want: 'asked',
    attack: async ({ confirming }) =>
      answered(confirming, callOf('touch', {}), callOf('touch', {}), { requestState: undefined }),
  },
  {
    name: 'confirm: yes to one id, for another id that nobody was asked for',
    want: 'asked',
    attack: async ({ confirming }) => {
      const [one, other] = ['1', '2'].map((text) => callOf('touch', { text }));
      return answered(confirming, one, other, { requestState: undefined });
    },
  },
  ...repeated.map(([when, sendAll]) => ({
    name: `confirm: one yes, five times ${when}`,
    want: 'called once',
    reaches: { handlers: 1 },
    attack: async ({ confirming }) => {
      const own = bearer(await tokenOf(confirming));
      const call = callOf('touch', {});
      const carried = await answerTo(confirming, call, own);
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
      const carried = await answerTo(confirming, call, bearer(alice));
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
    name: 'confirm: yes to other arguments',
    want: 'error -32602',
    attack: async ({ confirming }) =>
      answered(confirming, callOf('touch', { text: 'a' }), callOf('touch', { text: 'b' })),
  },
  {
    name: 'confirm: yes to another tool',
    want: 'error -32602',
    attack: async ({ confirming }) => answered(confirming, callOf('touch', {}), callOf('store', object)),
  },
];

export const rows = [...readingRows, ...confirmingRows];

export const checks = [
  {
    ...removal(/^read-only: /, ['(!readOnly || annotations?.readOnlyHint === true)', 'true']),
    // The tool is there, and is told of.
    admits: /wanted unknown, got/,
  },
  removal(/^read-only, and false/, [
    "[flags['read-only'], isSet, readOnly, compiled?.readOnly].includes(true)",
    "(readOnly ?? flags['read-only'] ?? false)",
  ]),
  removal(/under other ids/, ['session.replies.get(message.id)', '[...session.replies.values()][0]']),
  removal(/yes before anybody was asked/, ANY_ANSWER),
  removal(
    /^confirm: yes (?:to one id|to other arguments|to another tool)/,
    ANY_ANSWER,
    ['`confirm ${hashParams({ ...about })}`', '"confirm"'],
    ['state.params === params && ', ''],
  ),
  removal(/yes, five times/, [', once: true }', ', once: false }']),
  removal(/of another caller/, ANY_STATE),
];
