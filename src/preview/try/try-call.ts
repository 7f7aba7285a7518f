/** Tries calls on an instance of the runtime in this process, against mock answers or the API. */
import type { JsonObject } from '../../util/json-schema.ts';
import { isRecord } from '../../../templates/runtime/json-rpc.ts';
import type { Environment } from '../../config/load/interpolate.ts';
import { DiagnosticCollector } from '../../diagnostics/collector.ts';
import { quoteShellWord } from '../../diagnostics/quoting.ts';
import {
  type InProcess,
  REVISIONS,
  type RpcAnswer,
  USUAL_REVISION,
  openInProcess,
} from '../../serve/open-instance.ts';
import { type Recorder, createExchangeRecorder } from '../../serve/record-exchanges.ts';
import { ServedFiles } from '../../serve/serve-model.ts';
import { type SendingConsent, checkSendingOfModel } from '../../project/check-sending.ts';
import type { ServerModel } from '../../model/server-model.ts';
import type { PreviewOptions } from '../source.ts';
import { omitUndefined } from '../../util/collections.ts';
import { Refusal } from '../problem.ts';
import type { HttpExchange, TryRequest, TryResult } from '../protocol.ts';
import { accessByHints } from '../views/tool-rows.ts';
import type { CompiledServer } from '../workspace.ts';

interface Opened {
  server: InProcess;
  recorder: Recorder;
}

interface TrialSettings {
  env: Environment;
  consent: SendingConsent;
  /** Told of bugs. */
  report: (thrown: unknown) => void;
}

export class Trials {
  readonly #files = new ServedFiles();
  readonly #settings: TrialSettings;
  readonly #opened = new Map<string, { generation: number; opening: Promise<Opened> }>();

  constructor(settings: TrialSettings) {
    this.#settings = settings;
  }

  async runTrial(
    { call, target, revision = USUAL_REVISION, confirmed = false }: TryRequest,
    compiled: CompiledServer,
  ): Promise<TryResult> {
    if (!REVISIONS.includes(revision))
      throw new Refusal(400, `There is no revision ${JSON.stringify(revision)}.`);
    if (target === 'api' && !confirmed && !onlyReads(call, compiled))
      throw new Refusal(403, 'This call may change something, so it has to be confirmed.');
    const { server, recorder } = await this.#openServer(compiled, target);
    const begun = performance.now();
    const [method, params] = callToMessage(call);
    const { result: answer, exchanges } = await recorder.record(() => server.ask(revision, method, params));
    const [first] = exchanges;
    const isApi = target === 'api' && first !== undefined;
    return {
      answer,
      seen: textSeenByModel(answer),
      milliseconds: Math.round(performance.now() - begun),
      exchanges,
      ...omitUndefined({
        curl: first && printCurlCommand(first),
        origin: isApi ? new URL(first.request.url).origin : undefined,
      }),
    };
  }

  async closeServers(): Promise<void> {
    for (const { opening } of this.#opened.values())
      await opening.then(
        ({ server }) => server.close(),
        () => undefined,
      );
    this.#files.remove();
  }

  async #openServer(compiled: CompiledServer, target: TryRequest['target']): Promise<Opened> {
    const key = `${target} ${compiled.name}`;
    const instance = this.#opened.get(key);
    if (instance?.generation === compiled.generation) return instance.opening;
    void instance?.opening.then(
      ({ server }) => server.close(),
      () => undefined,
    );
    const opening = this.#startServer(compiled, target);
    this.#opened.set(key, { generation: compiled.generation, opening });
    try {
      return await opening;
    } catch (thrown) {
      this.#opened.delete(key);
      if (thrown instanceof Refusal) throw thrown;
      throw new Refusal(
        409,
        `The server cannot be started: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
      );
    }
  }

  async #startServer(
    { options, report: { model, app: loadApp } }: CompiledServer,
    target: TryRequest['target'],
  ): Promise<Opened> {
    if (model === undefined || options === undefined)
      throw new Refusal(409, 'The source has errors, so there is nothing to call.');
    const { env, consent, report } = this.#settings;
    const isMock = target === 'mock';
    if (!isMock) await refuseSending(model, options, consent);
    if (!isMock && loadApp !== undefined && options.noCode === true)
      throw new Refusal(403, 'The functions of the source are not run (--no-code).');
    // Mock answers load no module of it.
    const app = loadApp?.({ maps: true, inPlace: true });
    const recorder = createExchangeRecorder(model, env);
    const server = await openInProcess({ model, app }, this.#files, {
      mock: isMock,
      env: { MCP_SHOW_ERRORS: '1', ...env },
      definition: { handlers: recorder.hooks },
      report,
    });
    return { server, recorder };
  }
}

/** @throws {Refusal} */
async function refuseSending(
  model: ServerModel,
  options: PreviewOptions,
  consent: SendingConsent,
): Promise<void> {
  const diagnostics = new DiagnosticCollector();
  await checkSendingOfModel(model, options, consent, diagnostics);
  const error = diagnostics.found.find(({ severity }) => severity === 'error');
  if (error !== undefined) throw new Refusal(403, `${error.message} (${error.code})`, error.hint);
}

/** Whether a call only reads. Code of prompts and resources has nothing else to do. */
function onlyReads(call: TryRequest['call'], { report: { model } }: CompiledServer): boolean {
  if (call.kind !== 'tool') return true;
  if (['search_tools', 'describe_tool', 'call_read_tool'].includes(call.name)) return true;
  const tool = model?.tools.find(({ name }) => name === call.name);
  return tool !== undefined && accessByHints(tool) === 'read';
}

function callToMessage(call: TryRequest['call']): [method: string, params: JsonObject] {
  switch (call.kind) {
    case 'tool':
      return ['tools/call', { name: call.name, arguments: call.arguments }];
    case 'prompt':
      return ['prompts/get', { name: call.name, arguments: call.arguments }];
    case 'resource':
      return ['resources/read', { uri: call.uri }];
    case 'completion':
      return ['completion/complete', { ref: call.ref, argument: call.argument }];
  }
}

/** The texts that a client gives its model. */
function textSeenByModel({ result, error }: RpcAnswer): string {
  if (error !== undefined) return isRecord(error) ? String(error['message']) : JSON.stringify(error);
  if (!isRecord(result)) return '';
  const { content, messages, contents, completion, structuredContent } = result;
  const items = onlyRecords(content, contents);
  if (items.length > 0) return items.map(describeContent).join('\n');
  const texts = onlyRecords(messages);
  if (texts.length > 0)
    return texts
      .map(({ role, content }) => `${String(role)}: ${isRecord(content) ? describeContent(content) : ''}`)
      .join('\n');
  if (isRecord(completion)) return [completion['values'] ?? []].flat().join('\n');
  return structuredContent === undefined ? '' : JSON.stringify(structuredContent);
}

function onlyRecords(...values: unknown[]): Record<string, unknown>[] {
  return values.flat().filter(isRecord);
}

function describeContent(item: Record<string, unknown>): string {
  const { text, type, mimeType, uri, resource } = item;
  if (typeof text === 'string') return text;
  if (isRecord(resource)) return describeContent(resource);
  return `[${[type, mimeType, uri].filter((part) => typeof part === 'string').join(' ')}]`;
}

function printCurlCommand({ request: { method, url, headers, body } }: HttpExchange): string {
  const headerFlags = headers.flatMap(([name, value]) => ['-H', quoteShellWord(`${name}: ${value}`)]);
  const data = body === '' ? [] : ['--data-binary', quoteShellWord(body)];
  return ['curl', '-X', quoteShellWord(method), quoteShellWord(url), ...headerFlags, ...data].join(' ');
}
