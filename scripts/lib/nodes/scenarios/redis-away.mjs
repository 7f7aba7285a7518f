/** Redis hangs, or is gone: plain calls go on, and what needs it says so until it is back. */
import { openCallers } from '../callers.mjs';
import { Faults, atPace, pause } from '../load.mjs';
import { isTaken, question } from '../questions.mjs';
import { RawModern, describe } from '../raw-client.mjs';
import { withWorld } from '../world.mjs';

const NODES = 3;
/** Clients of each kind. */
const EACH = 4;
const PER_SECOND = 100;
const PROBE_MS = 50;
const LEAST_SHARE = 0.999;
const MOST_RECOVERY_MS = 2_000;
/** Milliseconds before and after, and how long the probes wait for Redis' return. */
const [BEFORE_MS, AFTER_MS, WAIT_MS] = [1_000, 2_000, 10_000];

/** How Redis goes, and how it comes back. */
const ways = {
  'hangs (SIGSTOP)': [(redis) => redis.freeze(), (redis) => redis.thaw()],
  'is killed': [(redis) => redis.kill(), (redis) => redis.restart()],
};

/** @type {import('../scenarios.mjs').Run} */
export async function redisAway(task) {
  for (const [way, [leave, comeBack]] of Object.entries(ways)) {
    // Each call is counted in Redis.
    const args = ['--rate-limit', '600000'];
    const seen = await withWorld(
      task,
      { count: NODES, features: ['redis'], args },
      async ({ redis, fleet }) => {
        const faults = new Faults();
        const callers = await openCallers(fleet.url, EACH, faults);
        const probes = probe(new RawModern(fleet.url));
        const outage = (async () => {
          await pause(BEFORE_MS);
          await leave(redis);
          const left = performance.now();
          await pause(task.size.ms);
          await comeBack(redis);
          const back = performance.now();
          await probes.untilTaken(back);
          await pause(AFTER_MS);
          return { left, back };
        })();
        const { count: calls } = await atPace(PER_SECOND, outage, callers.call);
        await callers.close();
        return { calls, faults, ...(await outage), probes: await probes.stop() };
      },
    );
    note(task.figures, `Redis ${way} for ${task.size.ms / 1_000} s`, seen);
  }
}

/** Takes a single-use state again and again, which needs Redis. */
function probe(client) {
  const probes = [];
  let goesOn = true;
  const one = async (id) => {
    const began = performance.now();
    const more = await question(client, id);
    const taken = more && (await client.call('ask', { id }, more));
    probes.push({ began, ended: performance.now(), isTaken: taken !== undefined && isTaken(taken), taken });
  };
  const probing = (async () => {
    for (let number = 0; goesOn; number++) {
      void one(`probe ${number}`);
      await pause(PROBE_MS);
    }
  })();
  const after = (time) => probes.find(({ began, isTaken: is }) => is && began >= time);
  return {
    untilTaken: async (time) => {
      const end = performance.now() + WAIT_MS;
      while (after(time) === undefined && performance.now() < end) await pause(20);
    },
    stop: async () => {
      goesOn = false;
      await probing;
      await pause(1_000);
      return probes;
    },
  };
}

function note(figures, what, { calls, faults, left, back, probes }) {
  const share = 1 - faults.count / calls;
  const percent = (value) => `${(100 * value).toFixed(2)} %`;
  figures.atLeast({
    what: `${what}: plain calls answered`,
    ours: `${calls} calls`,
    other: String(faults),
    figure: share,
    limit: LEAST_SHARE,
    unit: percent,
  });
  const before = probes.filter(({ ended }) => ended < left);
  const during = probes.filter(({ began, ended }) => began > left + 1_000 && ended < back);
  const refused = during.filter(
    ({ taken }) => taken?.status === 503 && taken.headers['retry-after'] !== undefined,
  );
  const odd = during.find((each) => !refused.includes(each));
  figures.atLeast({
    what: `${what}: states refused with 503 meanwhile`,
    ours: `${before.filter(({ isTaken: is }) => is).length} of ${before.length} taken before`,
    other: odd?.taken === undefined ? '' : describe(odd.taken).slice(0, 110),
    figure: refused.length,
    limit: Math.max(1, during.length),
    unit: (value) => `${value} of ${during.length}`,
  });
  const first = probes
    .filter(({ began, isTaken: is }) => is && began >= back - PROBE_MS)
    .map(({ ended }) => ended);
  const recovery = Math.max(0, Math.min(...first) - back);
  const unit = (value) => (Number.isFinite(value) ? `${value.toFixed(0)} ms` : 'never');
  figures.atMost({ what: `${what}: recovery`, figure: recovery, limit: MOST_RECOVERY_MS, unit });
}
