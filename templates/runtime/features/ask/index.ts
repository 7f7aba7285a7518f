// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Questions of handlers and functions to their client: by requests of a session or a task, or by rounds (2026-07-28). */
import type { Call, Feature } from '../../feature.ts';
import { writeJson } from '../../json-rpc.ts';
import type { Server } from '../../server.ts';
import { type Env, ToolError } from '../../types.ts';
import { askedOf, askingByMessages } from '../asking.ts';
import { deriveKeys, type Keys, OnceInMemory, STATE_SECRETS } from '../state-keys.ts';
import type * as forms from './forms.ts';
import type * as questions from './questions.ts';
import { type Asker, makeQuestions } from './questions.ts';
import { ASKING_METHODS, findRound, runRound } from './rounds.ts';

declare module '../../types.ts' {
  interface Context extends questions.Questions {
    /**
     * Runs `work` once for the call: a repeated run of the handler (2026-07-28) gets the same result. The client carries it as JSON
     * (`undefined` becomes `null`), signed but readable.
     */
    remember<T>(key: string, work: () => T | Promise<T>): Promise<T>;
  }
  type AskOptions = questions.AskOptions;
  type ElicitUrlOptions = questions.ElicitUrlOptions;
  type ElicitAnswer<Content = JsonObject> = questions.ElicitAnswer<Content>;
  type FormField = forms.FormField;
  type FormFields = forms.FormFields;
  type FormSchema = forms.FormSchema;
  type SampleRequest = questions.SampleRequest;
  type SampleMessage = questions.SampleMessage;
  type SampleAnswer = questions.SampleAnswer;
  type Root = questions.Root;
  interface StepOptions {
    /** Names the step where a handler runs again (2026-07-28). Default: by order, which must then not change. */
    key?: string;
  }
}

/** A client has this time to answer. */
export const ASK_LIMITS = { askMs: 5 * 60_000 };

export function ask(): Feature {
  /** By environment: a server that takes the place of another continues its rounds. */
  const keys = new WeakMap<Env, Keys>();
  const keysOf = ({ env, definition }: Server): Keys => {
    const keysOfProcess = keys.get(env) ?? deriveKeys(env, definition.info.name, 'request-state');
    keys.set(env, keysOfProcess);
    return keysOfProcess;
  };
  const roundOf = (call: Call) => (askingByMessages.has(call.work) ? undefined : findRound(call));
  return {
    name: 'ask',
    settings: STATE_SECRETS,
    services: { once: new OnceInMemory() },
    aroundRequest: (call, next) =>
      call.agreement.era === 'modern' && ASKING_METHODS.has(call.method)
        ? runRound(call, keysOf(call.server), next)
        : next(call),
    aroundStep: (call, { key }, run) => roundOf(call)?.step(call, key, run) ?? run(call),
    context: (call) => ({
      ...makeQuestions(call, makeAsker(call, roundOf)),
      remember: async (key: string, work: () => unknown) => {
        const round = roundOf(call);
        return round === undefined ? work() : round.remember(call, key, work);
      },
    }),
  };
}

function makeAsker(call: Call, roundOf: (call: Call) => ReturnType<typeof findRound>): Asker {
  return {
    ask: async (method, params, { key, once = false }: questions.AskOptions = {}) => {
      const round = roundOf(call);
      if (round === undefined) {
        const refuse = (reason: string): Error => new ToolError(reason);
        return { answer: await askByMessage(call, key, method, params), refuse };
      }
      const fullKey = round.reserve(call, key, 'ask');
      const answer = await round.ask(fullKey, once, method, params);
      return { answer, refuse: (reason) => round.refuseAnswer(fullKey, reason) };
    },
  };
}

/** @throws {ToolError} before `notifications/initialized` (Lifecycle, "Initialization"), or if the client refuses or takes too long */
function askByMessage(
  { request: { session, exchange }, work }: Call,
  key: string | undefined,
  method: string,
  params: object | undefined,
): Promise<Record<string, unknown>> {
  if (!session.isReady) throw new ToolError('The client is not ready to be asked.');
  if (work.isDone || work.reason !== undefined)
    throw new ToolError(`${method} was not asked: the call it belongs to has ended.`);
  const { replies } = session;
  // Clients of tasks see the key.
  const taskKey = askingByMessages.has(work) ? key : undefined;
  const id =
    taskKey ?? (askingByMessages.has(work) ? `ask-${++askedOf(session).last}` : ++askedOf(session).last);
  if (replies.has(id)) throw new ToolError(`Two questions of one call have the key ${writeJson(id)}.`);
  return new Promise((resolve, reject) => {
    const finish = (): void => {
      replies.delete(id);
      clearTimeout(timer);
      forget();
    };
    // The client is told (Lifecycle, "Timeouts").
    const giveUp = (reason: string): void => {
      finish();
      const cancelled = { requestId: id, reason };
      void exchange.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: cancelled });
      reject(new ToolError(`${method} was given up: ${reason}`));
    };
    const timer = setTimeout(() => giveUp(`No answer came in ${ASK_LIMITS.askMs} ms.`), ASK_LIMITS.askMs);
    const forget = work.onCancel(() => giveUp('The call it belongs to has ended.'));
    replies.set(id, (reply) => {
      finish();
      if ('result' in reply) return resolve(reply.result);
      const { code, message } = reply.error;
      reject(new ToolError(`The client answered ${method} with the error ${code}: ${message}`));
    });
    const send = async (): Promise<void> =>
      exchange.send({ jsonrpc: '2.0', id, method, ...(params && { params }) });
    send().catch(reject);
  });
}
