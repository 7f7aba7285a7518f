/** A change on one node is heard by the subscribers of all. */
import { pause } from '../load.mjs';
import { WATCHED } from '../project.mjs';
import { RawModern, RawSession, describe, resultOf } from '../raw-client.mjs';
import { withWorld } from '../world.mjs';

const NODES = 3;
const MOST_MS = 200;
/** Milliseconds that a change may take to come at all. */
const WAIT_MS = 1_000;

/** @type {import('../scenarios.mjs').Run} */
export async function changes(task) {
  const { figures, size } = task;
  await withWorld(task, { count: NODES, features: ['redis'] }, async ({ fleet }) => {
    const ending = new AbortController();
    const heard = [];
    const hear = (number, message) => {
      if (message.method === 'notifications/resources/updated') heard.push([number, performance.now()]);
    };
    const { signal } = ending;
    const opening = Array.from({ length: size.subscribers }, (_, number) =>
      number % 2 === 0
        ? subscribeSession(fleet.url, (message) => hear(number, message), signal)
        : subscribeModern(fleet.url, (message) => hear(number, message), signal),
    );
    await Promise.all(opening);
    const [delays, missed] = [[], []];
    for (let change = 0; change < size.changes; change++) {
      heard.length = 0;
      const began = performance.now();
      const touched = await new RawModern(fleet.url).call('touch');
      if (resultOf(touched) === undefined) throw new Error(`touch got ${describe(touched)}`);
      while (heard.length < size.subscribers && performance.now() - began < WAIT_MS) await pause(5);
      const first = new Map(heard.toReversed());
      for (let number = 0; number < size.subscribers; number++)
        if (first.has(number)) delays.push(first.get(number) - began);
        else missed.push(number);
    }
    ending.abort();
    note(figures, size, delays, missed);
  });
}

function note(figures, { subscribers, changes: count }, delays, missed) {
  const all = subscribers * count;
  const legacy = missed.filter((number) => number % 2 === 0).length;
  const other =
    missed.length === 0 ? '' : `${legacy} missed by sessions, ${missed.length - legacy} by others`;
  const what = `${count} changes, ${subscribers} subscribers on ${NODES} nodes`;
  figures.atLeast({
    what: `${what}: heard`,
    other,
    figure: delays.length,
    limit: all,
    unit: (value) => `${value} of ${all}`,
  });
  const slowest = Math.max(0, ...delays);
  figures.atMost({
    what: `${what}: the slowest`,
    figure: slowest,
    limit: MOST_MS,
    unit: (value) => `${value.toFixed(0)} ms`,
  });
}

async function subscribeSession(url, take, signal) {
  const session = await RawSession.open(url);
  const asked = await session.exchange({ message: session.request('resources/subscribe', { uri: WATCHED }) });
  if (resultOf(asked) === undefined) throw new Error(`resources/subscribe got ${describe(asked)}`);
  void session.listen(undefined, { take, signal });
  await pause(50);
}

async function subscribeModern(url, take, signal) {
  const client = new RawModern(url);
  await new Promise((resolve, reject) => {
    const heard = (message) => {
      if (message.method === 'notifications/subscriptions/acknowledged') resolve();
      take(message);
    };
    const params = { notifications: { resourceSubscriptions: [WATCHED] } };
    void client
      .ask('subscriptions/listen', params, { take: heard, signal, isAlone: true })
      .then((exchanged) => reject(new Error(`subscriptions/listen got ${describe(exchanged)}`)));
  });
}
