/** Many sessions, and a node that is killed hard again and again. */
import { Random } from '../../soak/random.mjs';
import { pause } from '../load.mjs';
import { vanishAndReturn, work } from '../resumed-calls.mjs';
import { Ledger } from '../ledger.mjs';
import { RawSession } from '../raw-client.mjs';
import { inParallel } from '../../run.mjs';
import { withWorld } from '../world.mjs';

const NODES = 3;
const VANISHING = 0.25;

/** @type {import('../scenarios.mjs').Run} */
export async function chaos(task) {
  const { figures, size } = task;
  const random = new Random(size.sessions);
  await withWorld(task, { count: NODES, features: ['redis'] }, async ({ api, fleet }) => {
    const ledger = new Ledger(api, fleet, size.isTimed);
    const numbers = Array.from({ length: size.sessions }, (_, number) => number);
    const sessions = await inParallel(numbers, 50, (number) => open(fleet.url, number));
    let goesOn = true;
    const using = sessions.map(async (session) => {
      await pause(random.below(size.thinkMs));
      for (let number = 0; goesOn; number++) {
        const call = { session, id: `${session.name} ${number}`, ledger };
        if (random.chance(VANISHING)) await vanishAndReturn(call, { goesOn: () => goesOn });
        else await work(call, 50 + random.below(size.callMs));
        await pause(random.below(2 * size.thinkMs));
      }
    });
    const end = performance.now() + size.ms;
    while (performance.now() + size.everyMs < end) {
      await pause(size.everyMs);
      await fleet.killOne();
    }
    await pause(end - performance.now());
    goesOn = false;
    await Promise.all(using);
    ledger.note(figures, `${size.sessions} sessions, ${fleet.killed.size} nodes killed`);
  });
}

/** A session with a name, by which its messages are known. */
async function open(url, number) {
  return Object.assign(await RawSession.open(url), { name: `session-${number}` });
}
