/** What a handler sees of its call. */
import type {
  ClientView,
  Context,
  ElicitAnswer,
  ElicitForm,
  ElicitUrl,
  LogLevel,
  Root,
  SampleAnswer,
  SampleRequest,
} from '../definition.ts';
import { isRecord, isRequestId, type OutgoingNotification } from '../protocol/json-rpc.ts';
import type { Meta } from '../protocol/content.ts';
import type { Json } from '../schema/json-schema.ts';
import type { Call } from './call.ts';
import { isWanted } from './log-level.ts';
import { RateLimiter } from './rate-limiter.ts';

export class CallContext implements Context {
  readonly #call: Call;
  #reached = -Infinity;
  #progress: RateLimiter | undefined;
  #logs: RateLimiter | undefined;

  constructor(call: Call) {
    this.#call = call;
  }

  get signal(): AbortSignal {
    return this.#call.work.signal;
  }

  get client(): ClientView {
    const { clientInfo, clientCapabilities, revision } = this.#call.agreement;
    return {
      capabilities: clientCapabilities,
      revision,
      ...(clientInfo === undefined ? {} : { info: clientInfo }),
    };
  }

  get meta(): Meta | undefined {
    const { _meta: meta } = this.#call.params;
    return isRecord(meta) ? (meta as Meta) : undefined;
  }

  // Properties, so that a handler may take them off its context: `({ city }, { log }) => …`.
  readonly log = async (level: LogLevel, data: Json, logger?: string): Promise<void> => {
    const { exchange, project } = this.#call;
    if (!isWanted(level, exchange.session.logLevel)) return;
    this.#logs ??= perSecond(project.limits.logsPerSecond);
    if (!this.#logs.take()) return;
    const params = { level, ...(logger === undefined ? {} : { logger }), data };
    await this.#send({ jsonrpc: '2.0', method: 'notifications/message', params });
  };

  readonly progress = async (done: number, total?: number, message?: string): Promise<void> => {
    const { agreement, exchange, project } = this.#call;
    const token = this.meta?.['progressToken'];
    if (!isRequestId(token) || !exchange.session.ready || !(done > this.#reached)) return;
    this.#progress ??= perSecond(project.limits.progressPerSecond);
    if (!this.#progress.take()) return;
    this.#reached = done;
    const words = agreement.features.progressMessage ? message : undefined;
    const params = {
      progressToken: token,
      progress: done,
      ...(total === undefined ? {} : { total }),
      ...(words === undefined ? {} : { message: words }),
    };
    await this.#send({ jsonrpc: '2.0', method: 'notifications/progress', params });
  };

  readonly elicit = async (question: ElicitForm | ElicitUrl): Promise<ElicitAnswer> =>
    (await import('./ask-client.ts')).elicit(this.#call, question);

  readonly sample = async (request: SampleRequest): Promise<SampleAnswer> =>
    (await import('./ask-client.ts')).sample(this.#call, request);

  readonly roots = async (): Promise<Root[]> => (await import('./ask-client.ts')).listRoots(this.#call);

  /** Nothing follows an answer, and nothing is sent for a cancelled call. */
  async #send(message: OutgoingNotification): Promise<void> {
    const { work, exchange } = this.#call;
    if (!work.done && !work.cancelled) await exchange.send(message);
  }
}

function perSecond(count: number): RateLimiter {
  return new RateLimiter(count, Date.now, 1_000);
}
