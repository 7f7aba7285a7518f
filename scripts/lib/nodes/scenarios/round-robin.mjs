/** The secret alone: any node serves any request of any client. */
import { inParallel } from '../../run.mjs';
import { Faults, kinds } from '../callers.mjs';
import { withWorld } from '../fleet.mjs';

/** Clients of each kind. */
const CLIENTS = 10;

export async function roundRobin(task) {
  const { figures, size } = task;
  for (const count of size.nodes)
    for (const [kind, open] of Object.entries(kinds)) {
      const seen = await withWorld(task, { count }, (world) => callAll(world, open, size.calls));
      figures.atLeast({
        what: `${count} nodes, ${kind}`,
        ours: `${seen.served.join(' + ')} requests`,
        other: String(seen.faults),
        figure: seen.once,
        limit: size.calls,
        unit: (value) => `${value} of ${size.calls}`,
      });
    }
}

/** Calls are counted that were answered, and done once. */
async function callAll({ api, fleet }, open, calls) {
  const faults = new Faults();
  const answered = [];
  await inParallel(Array.from({ length: CLIENTS }), CLIENTS, async (_, number) => {
    try {
      const caller = await open(fleet.url);
      for (let index = 0; index < calls / CLIENTS; index++) {
        const id = `${number} ${index}`;
        await caller.call({ id }).then(
          () => answered.push(id),
          (error) => faults.add(error.message),
        );
      }
      await caller.close();
    } catch (error) {
      faults.add(error.message);
    }
  });
  const once = answered.filter((id) => api.effects.get(id) === 1).length;
  return { once, served: fleet.balancer.served, faults };
}
