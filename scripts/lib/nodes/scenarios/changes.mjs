/** A change on one node is heard by the subscribers of all. */
import { setMaxListeners } from 'node:events';

import { pause } from '../callers.mjs';
import { WATCHED } from '../project.mjs';
import { RawModern, RawSession, describe, resultOf } from '../raw-client.mjs';
import { withWorld } from '../fleet.mjs';

const NODES = 3;
const MOST_MS = 200;
/** Milliseconds that a change may take to come at all. */
const WAIT_MS = 10_000;

/** Tool that makes a change → what its subscribers hear. */
const kinds = {
  touch: 'notifications/resources/updated',
  grow: 'notifications/tools/list_changed',
};

export async function changes(task) {
  await withWorld(task, { count: NODES, features: ['redis'] }, async ({ fleet }) => {
    const ending = new AbortController();
    setMaxListeners(0, ending.signal);
    const ears = new Ears();
    const opening = Array.from({ length: task.size.subscribers }, (_, number) => {
      const subscribe = number % 2 === 0 ? subscribeSession : subscribeModern;
      return subscribe(fleet.url, (message) => ears.hear(number, message), ending.signal);
    });
    await Promise.all(opening);
    for (const [tool, method] of Object.entries(kinds))
      note(task, method, await change(fleet.url, ears, { tool, method, ...task.size }));
    ending.abort();
  });
}

/** When each subscriber heard a method first. */
class Ears {
  #heard = new Map();

  forget() {
    this.#heard.clear();
  }

  hear(number, { method }) {
    const key = `${method} ${number}`;
    if (!this.#heard.has(key)) this.#heard.set(key, performance.now());
  }

  when(number, method) {
    return this.#heard.get(`${method} ${number}`);
  }
}

async function change(url, ears, { tool, method, subscribers, changes: count }) {
  const [delays, missed] = [[], []];
  const numbers = Array.from({ length: subscribers }, (_, number) => number);
  for (let made = 0; made < count; made++) {
    ears.forget();
    const began = performance.now();
    const called = await new RawModern(url).call(tool);
    if (resultOf(called) === undefined) throw new Error(`${tool} got ${describe(called)}`);
    const isDeaf = (number) => ears.when(number, method) === undefined;
    while (numbers.some(isDeaf) && performance.now() - began < WAIT_MS) await pause(5);
    for (const number of numbers)
      if (isDeaf(number)) missed.push(number);
      else delays.push(ears.when(number, method) - began);
    // Changes that follow each other closely may be told of once.
    await pause(100);
  }
  return { delays, missed };
}

function note({ figures, size }, method, { delays, missed }) {
  const all = size.subscribers * size.changes;
  const legacy = missed.filter((number) => number % 2 === 0).length;
  const what = `${size.changes} × ${method}, ${size.subscribers} subscribers`;
  figures.atLeast({
    what: `${what}: heard`,
    other: missed.length === 0 ? '' : `missed: ${legacy} by sessions, ${missed.length - legacy} by others`,
    figure: delays.length,
    limit: all,
    unit: (value) => `${value} of ${all}`,
  });
  figures.atMost({
    what: `${what}: the slowest`,
    figure: Math.max(0, ...delays),
    limit: size.isTimed ? MOST_MS : WAIT_MS,
    unit: (value) => `${value.toFixed(0)} ms`,
  });
}

async function subscribeSession(url, take, signal) {
  const session = await RawSession.open(url);
  const message = session.request('resources/subscribe', { uri: WATCHED });
  const asked = await session.exchange({ message });
  if (resultOf(asked) === undefined) throw new Error(`resources/subscribe got ${describe(asked)}`);
  await new Promise((begun) => void session.listen(undefined, { take, signal, begun }));
}

async function subscribeModern(url, take, signal) {
  const client = new RawModern(url);
  await new Promise((resolve, reject) => {
    const heard = (message) => {
      if (message.method === 'notifications/subscriptions/acknowledged') resolve();
      take(message);
    };
    const params = { notifications: { resourceSubscriptions: [WATCHED], toolsListChanged: true } };
    const settings = { take: heard, signal, isAlone: true };
    void client
      .ask('subscriptions/listen', params, settings)
      .then((exchanged) => reject(new Error(`subscriptions/listen got ${describe(exchanged)}`)));
  });
}
