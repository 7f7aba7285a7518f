/** A limit of calls a minute counts over all nodes. */
import { inParallel } from '../../run.mjs';
import { pause } from '../callers.mjs';
import { RawModern, resultOf } from '../raw-client.mjs';
import { withWorld } from '../fleet.mjs';

const NODES = 3;
const PER_MINUTE = 600;
const IN_FLIGHT = 12;

export async function rate(task) {
  const { figures, size } = task;
  const args = ['--rate-limit', String(PER_MINUTE)];
  await withWorld(task, { count: NODES, features: ['redis'], args }, async ({ fleet, redis }) => {
    const client = new RawModern(fleet.url);
    // The first calls load code, in which time nothing is spent; a second later the limit is whole again.
    for (let call = 0; call < 2 * NODES; call++) await client.call('nothing');
    await pause(1_000);
    // The saved-up calls go first; calls that are earned meanwhile are not counted.
    const burst = await offer(client, (offered) => offered < 2 * PER_MINUTE);
    note(figures, 'at once', burst, PER_MINUTE, burst.admitted - earnedIn(burst.ms));
    const end = performance.now() + size.ms;
    const steady = await offer(client, () => performance.now() < end, 20);
    note(figures, `in ${size.ms / 1_000} s after`, steady, earnedIn(steady.ms), steady.admitted);
    await redis.kill();
    // Each node may let through its share, and no more.
    const alone = await offer(client, (offered) => offered < 2 * PER_MINUTE);
    figures.atMost({
      what: `${PER_MINUTE} calls a minute over ${NODES} nodes, at once without Redis`,
      ours: `${alone.admitted} of ${alone.offered}`,
      figure: alone.admitted - earnedIn(alone.ms),
      limit: PER_MINUTE,
      unit: (value) => value.toFixed(0),
    });
  });
}

function earnedIn(ms) {
  return (ms * PER_MINUTE) / 60_000;
}

/** Calls until `goesOn` says no. */
async function offer(client, goesOn, pauseMs = 0) {
  const began = performance.now();
  let [offered, admitted, slowest] = [0, 0, 0];
  await inParallel(Array.from({ length: IN_FLIGHT }), IN_FLIGHT, async () => {
    while (goesOn(offered)) {
      offered++;
      const sent = performance.now();
      if (resultOf(await client.call('nothing')) !== undefined) admitted++;
      slowest = Math.max(slowest, performance.now() - sent);
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  });
  return { offered, admitted, slowest, ms: performance.now() - began };
}

/** One call more or less is the moment at which it came, and what was earned during the slowest is not known better. */
function note(figures, when, { offered, slowest }, wanted, admitted) {
  const most = Math.max(0.01, (1 + earnedIn(slowest)) / wanted);
  figures.atMost({
    what: `${PER_MINUTE} calls a minute over ${NODES} nodes, ${when}`,
    ours: `${admitted.toFixed(0)} of ${offered}`,
    other: `${wanted.toFixed(0)} wanted`,
    figure: Math.abs(admitted - wanted) / wanted,
    limit: most,
    unit: (value) => `${(100 * value).toFixed(1)} % off`,
  });
}
