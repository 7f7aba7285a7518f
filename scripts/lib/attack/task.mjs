/** Tasks that calls become in a session. */
import { callOf, messageOf, outcomeOf } from './session.mjs';

/** @import { Session } from './session.mjs' */

/** Begins one. @param {Session} session @returns {Promise<string>} its id */
export async function taskOf(session, tool = 'slow') {
  const answer = await session.send(callOf(tool, {}, { task: { ttl: 60_000 } }));
  return messageOf(answer).result.task.taskId;
}

/** Whether a task is in the list that a session gets. @param {Session} session @param {string} task its id */
export async function listed(session, task) {
  const answer = await session.send({ jsonrpc: '2.0', id: 1, method: 'tasks/list' });
  return `${outcomeOf(answer)}, ${answer.text.includes(task) ? 'with it' : 'without it'}`;
}
