/** A task is known to every node, and fails with its node. */
import { pause } from '../callers.mjs';
import { RawSession, describe, isUnknown, resultOf } from '../raw-client.mjs';
import { inParallel } from '../../run.mjs';
import { withWorld } from '../fleet.mjs';

const NODES = 3;
const WAIT_MS = 15_000;
/** The kill comes first, however busy the machine is. */
const ORPHAN_MS = 20_000;

export async function tasks(task) {
  const { figures, size } = task;
  await withWorld(task, { count: NODES, features: ['redis'] }, async ({ api, fleet }) => {
    const unit = (value) => `${value} of ${size.tasks}`;
    const done = await inParallel(Array.from({ length: size.tasks }), 10, async (_, number) => {
      const { session, taskId } = await begin(fleet.url, `task ${number}`, 300);
      if (taskId === undefined) return false;
      const status = await endOfTask(session, taskId);
      // The balancer sends each to another node.
      const results = [];
      for (let node = 0; node < NODES; node++)
        results.push(
          resultOf(await session.exchange({ message: session.request('tasks/result', { taskId }) })),
        );
      return (
        status === 'completed' &&
        results.every(
          (each) =>
            each?.structuredContent?.id === `task ${number}` || readText(each).includes(`task ${number}`),
        )
      );
    });
    figures.atLeast({
      what: `tasks polled over ${NODES} nodes: their result from each`,
      figure: done.filter(Boolean).length,
      limit: size.tasks,
      unit,
    });
    const orphans = await orphan(fleet, size.tasks);
    figures.atLeast({
      what: 'tasks of a killed node: failed, outcome unknown',
      other: orphans.other,
      figure: orphans.count,
      limit: orphans.of,
      unit: (value) => `${value} of ${orphans.of}`,
    });
    figures.atMost({ what: 'tasks done twice', figure: api.doubled(), limit: 0, unit: String });
  });
}

async function begin(url, id, ms) {
  const session = await RawSession.open(url);
  const params = { name: 'later', arguments: { id, ms }, task: { ttl: 60_000 } };
  const begun = await session.exchange({ message: session.request('tools/call', params) });
  return { session, node: begun.node, taskId: resultOf(begun)?.task?.taskId, begun };
}

/** Its last status. */
async function endOfTask(session, taskId) {
  const end = performance.now() + WAIT_MS;
  let task;
  do {
    await pause(100);
    const asked = await session.exchange({ message: session.request('tasks/get', { taskId }) });
    task = resultOf(asked) ?? { status: describe(asked) };
  } while (!['completed', 'failed', 'cancelled'].includes(task.status) && performance.now() < end);
  return task.statusMessage === undefined ? task.status : `${task.status}: ${task.statusMessage}`;
}

/** Tasks that begin on the node that is killed at once. */
async function orphan(fleet, count) {
  const begun = await Promise.all(
    Array.from({ length: count }, (_, number) => begin(fleet.url, `orphan ${number}`, ORPHAN_MS)),
  );
  const name = await fleet.killOne();
  const orphans = begun.filter(({ node, taskId }) => node === name && taskId !== undefined);
  const ends = await Promise.all(orphans.map(({ session, taskId }) => endOfTask(session, taskId)));
  const wrong = ends.find((end) => !hasFailed(end));
  const of = Math.max(1, orphans.length);
  return { count: ends.filter(hasFailed).length, of, other: wrong?.slice(0, 120) ?? '' };
}

function hasFailed(end) {
  return end.startsWith('failed: ') && isUnknown(end);
}

function readText(result) {
  return result?.content?.[0]?.text ?? '';
}
