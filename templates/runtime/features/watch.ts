// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** What the features that only look on share: each request, each call by code, the end of each task, and how they ended. */
import type { Ending, Feature } from '../feature.ts';
import { isRecord, type Request, RpcError } from '../json-rpc.ts';
import type { Exchange } from '../session.ts';
import type { Outcome } from '../types.ts';

/** Calls by code have no id. */
export interface Watched extends Pick<Request, 'method' | 'params'> {
  id?: Request['id'];
  exchange: Exchange;
  /** The message of a request, or the call that code makes. */
  key: object;
  /** The key of the request or call that this one is part of. */
  outer?: object;
  /** The task whose end is waited for, and when its call began. */
  task?: { id: string; start: number };
}

export interface End {
  outcome: 'ok' | 'tool-error' | 'input-required' | 'task' | 'refused' | 'error' | 'cancelled';
  error?: RpcError;
  taskId?: string;
}

/** By key: the trace that the feature `traces` has given it. */
export const traceIds = new WeakMap<object, string>();

/** A request that becomes a task ends twice: `begin` is told the task, too. */
export function watch(begin: (watched: Watched) => (end: End) => void) {
  const requests = new WeakMap<Request, Watched>();
  /** Of requests: tells the end of their task, or keeps the outcome until there is one. */
  const taskEnds = new WeakMap<Request, (outcome: Outcome) => void>();
  return {
    observe: (message, exchange) => {
      const start = Date.now();
      const { id, method, params } = message;
      const watched: Watched = { id, method, params, exchange, key: message };
      const end = begin(watched);
      let early: Outcome | undefined;
      if (method === 'tools/call') {
        requests.set(message, watched);
        taskEnds.set(message, (outcome) => (early = outcome));
      }
      return (ending) => {
        const told = describeEnding(ending);
        end(told);
        if (told.taskId === undefined) return void taskEnds.delete(message);
        const endTask = begin({ ...watched, task: { id: told.taskId, start } });
        if (early !== undefined) endTask(describeOutcome(early));
        else taskEnds.set(message, (outcome) => endTask(describeOutcome(outcome)));
      };
    },
    aroundCall: {
      observe: async (call, next) => {
        const { kind, name, args, origin, request, parent } = call;
        if (origin === 'client' || kind !== 'tool') {
          // A feature may have put another tool in the place of that which the client names.
          const watched = requests.get(request.message);
          if (watched !== undefined) watched.params = { ...watched.params, name, arguments: args };
          const outcome = await next();
          taskEnds.get(request.message)?.(outcome);
          return outcome;
        }
        const params = { name, arguments: args };
        const outer = parent?.origin === 'code' ? parent : request.message;
        const end = begin({ method: 'tools/call', params, exchange: request.exchange, key: call, outer });
        const outcome = await next();
        end(describeOutcome(outcome));
        return outcome;
      },
    },
  } satisfies Partial<Feature>;
}

function describeEnding({ result, error }: Ending): End {
  if (error !== undefined) return { outcome: error.status === 403 ? 'refused' : 'error', error };
  if (!isRecord(result)) return { outcome: 'cancelled' };
  const { isError, resultType, task, taskId = isRecord(task) ? task['taskId'] : undefined } = result;
  if (isError === true) return { outcome: 'tool-error' };
  if (resultType === 'input_required') return { outcome: 'input-required' };
  const isTask = (resultType === 'task' || task !== undefined) && typeof taskId === 'string';
  return isTask ? { outcome: 'task', taskId } : { outcome: 'ok' };
}

function describeOutcome({ cause, error, result }: Outcome): End {
  if (cause === 'cancelled') return { outcome: 'cancelled' };
  return describeEnding(error instanceof RpcError ? { error } : { result });
}
