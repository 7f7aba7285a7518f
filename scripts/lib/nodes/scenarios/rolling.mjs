/** Nodes are replaced one after the other, and no client notices. */
import { atPace, Faults, openCallers, pause } from '../callers.mjs';
import { withWorld } from '../fleet.mjs';

const NODES = 3;
const LEAST_PACE = 0.95;
/** Clients of each kind. */
const EACH = 8;

export async function rollingRestart(task) {
  const { figures, size } = task;
  const env = { MCP_DRAIN_DELAY_MS: '2000' };
  const seen = await withWorld(task, { count: NODES, env }, async ({ api, fleet }) => {
    const faults = new Faults();
    const callers = await openCallers(fleet.url, EACH, faults, { ms: 50 });
    const { count: calls, pace } = await atPace(
      size.perSecond,
      replaceAll(fleet, size.replaced),
      callers.call,
    );
    await callers.close();
    return { calls, pace, faults, ...fleet.balancer.counts, doubled: api.doubled() };
  });
  const what = `${size.replaced} restarts at ${size.perSecond} calls a second`;
  const perSecond = (value) => `${value.toFixed(0)} a second`;
  const limit = size.isTimed ? LEAST_PACE * size.perSecond : 0;
  figures.atLeast({ what: `${what}: pace`, figure: seen.pace, limit, unit: perSecond });
  const unit = (value) => `${value} of ${seen.calls}`;
  figures.atMost({ what: `${what}: refused connections`, figure: seen.refused, limit: 0, unit: String });
  figures.atMost({
    what: `${what}: failed calls`,
    other: String(seen.faults),
    figure: seen.faults.count,
    limit: 0,
    unit,
  });
  figures.atMost({ what: `${what}: calls done twice`, figure: seen.doubled, limit: 0, unit });
}

async function replaceAll(fleet, count) {
  await pause(1_000);
  for (let replaced = 0; replaced < count; replaced++) {
    await fleet.replaceOne();
    await pause(500);
  }
}
