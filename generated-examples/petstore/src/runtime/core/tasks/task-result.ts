/** `tasks/result` (2025-11-25): waits until the task has ended, and puts its questions meanwhile. */
import { invalidParams, ProtocolError } from '../../protocol/protocol-error.ts';
import { AskError } from '../asks.ts';
import type { Call, Method } from '../call.ts';
import { taskOf } from './methods.ts';
import type { Task, TaskQuestion } from './task.ts';
import { related } from './task-views.ts';

export const taskResult: Method = async (call: Call) => {
  const task = taskOf(call);
  await untilEnded(task, call);
  const { outcome } = task;
  if (outcome === undefined) throw invalidParams('The task was cancelled: it has no result.');
  if ('result' in outcome) return related(outcome.result, task);
  const { code, message, data } = outcome.error;
  throw new ProtocolError(code, message, 'work', data);
};

async function untilEnded(task: Task, call: Call): Promise<void> {
  const { signal } = call.inFlight;
  const asked = new Set<string>();
  let stop: (() => void) | undefined;
  await new Promise<void>((resolve) => {
    const look = (): void => {
      if (task.hasEnded || signal.aborted) return resolve();
      for (const [key, question] of task.questions) {
        if (asked.has(key)) continue;
        asked.add(key);
        void put(task, key, question, call);
      }
    };
    stop = task.onChange(look);
    signal.addEventListener('abort', () => resolve(), { once: true });
    look();
  });
  stop?.();
}

/** Several may wait for one result: the first answer counts. Where this one goes away, the question stays. */
async function put(task: Task, key: string, question: TaskQuestion, call: Call): Promise<void> {
  const { session, server, context, inFlight } = call;
  if (session === undefined) return;
  try {
    const answer = await session.ask(question.method, related(question.params ?? {}, task), {
      send: (message) => context.send(message),
      signal: inFlight.signal,
      timeoutMs: server.limits.askTimeoutMs,
    });
    task.take(key)?.answer(answer);
  } catch (thrown) {
    if (!inFlight.signal.aborted && thrown instanceof AskError) task.take(key)?.fail(thrown);
  }
}
