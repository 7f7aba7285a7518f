// A tool called by its name, and through the tools that call others: the same frames, the same work, the same line of the audit log.
import { expect, test } from 'vitest';
import { allFeatures } from '../../../templates/runtime/all-features.ts';
import { createAudit } from '../../../templates/runtime/audit/open-audit.ts';
import type { Binding, FunctionBinding } from '../../../templates/runtime/contract/bindings.ts';
import { DEFAULT_LIMITS } from '../../../templates/runtime/contract/feature.ts';
import type { ListedTool, ToolAnnotations } from '../../../templates/runtime/contract/json-schema.ts';
import { printIndex } from '../../../templates/runtime/contract/search-index.ts';
import { type Answer, type RequestContext, answerToObject } from '../../../templates/runtime/core/call.ts';
import { createServer } from '../../../templates/runtime/core/server-instance.ts';
import { Channel, Session } from '../../../templates/runtime/core/session.ts';
import type { Context, ExtraTool, ToolHandler } from '../../../templates/runtime/definition.ts';
import * as oauth from '../../../templates/runtime/oauth/index.ts';
import { readReceived } from '../../../templates/runtime/protocol/json-rpc.ts';
import { META, type Revision } from '../../../templates/runtime/protocol/revisions.ts';
import { openSurface } from '../../../templates/runtime/search/index.ts';
import { ACCESS, CALL_TOOLS, mayCall, readAccess } from '../../../templates/runtime/search/tools.ts';
import { callerOf } from '../../support/caller.ts';
import { createCheckedCore } from '../../support/checked-core.ts';
import { newCatalog } from '../core/harness.ts';

const REVISIONS: Revision[] = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];

type Work = ToolHandler<Record<string, unknown>>;

interface Row {
  what: string;
  /** Its handler; a function of the project without one. */
  work?: Work;
  tool?: Partial<ListedTool>;
  prepare?: ExtraTool['prepare'];
  args?: unknown;
  /** Members of the request beside name and arguments. */
  more?: object;
  scopes?: string[];
  confirms?: boolean;
  repairs?: boolean;
  /** The client has no elicitation. */
  asksNobody?: boolean;
  /** Requests after the call, by the id of its task. */
  then?: string[];
  /** The client cancels the call. */
  cancels?: boolean;
  /** A part of the frames, in the revisions that have it; so that a row can't pass by doing nothing. */
  want: RegExp;
  only?: Revision[];
}

const FORM: Parameters<Context['elicit']>[1] = { type: 'object', properties: { name: { type: 'string' } } };
const IN_TASK: Partial<ListedTool> = { execution: { taskSupport: 'optional' } };
const CORE_TASKS: Revision[] = ['2025-11-25'];
const asTask = { task: { ttl: 60_000 } };
const asks: Work = async (_args, { elicit }) => (await elicit('Who?', FORM, { key: 'who' })).content;

const rows: Row[] = [
  { what: 'a text', work: () => 'done', want: /"text":"done"/ },
  { what: 'arguments', work: (args) => args, args: { id: 1 }, want: /\{\\"id\\":1\}/ },
  { what: 'arguments that are repaired', work: (args) => args, args: { id: '1' }, want: /\{\\"id\\":1\}/ },
  { what: 'arguments that do not fit', work: () => 'done', args: { id: 'x' }, want: /do not match/ },
  { what: 'no repair', work: () => 'done', args: { id: '1' }, repairs: false, want: /do not match/ },
  { what: 'no arguments', work: (args) => args, args: undefined, want: /"text":"\{\}"/ },
  { what: 'a failure', work: () => Promise.reject(new Error('broken')), want: /"broken"/ },
  {
    what: 'content',
    work: () => ({ content: [{ type: 'image', data: 'AA==', mimeType: 'image/png' }] }),
    want: /image\/png/,
  },
  {
    what: 'a structure',
    tool: { outputSchema: { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] } },
    work: () => ({ a: 1 }),
    want: /\{\\?"a\\?":1\}/,
  },
  {
    what: 'a structure that does not fit',
    tool: { outputSchema: { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] } },
    work: () => ({ a: 'x' }),
    want: /isError|\\"a\\":\\"x\\"/,
  },
  {
    what: 'progress and logs',
    work: async (_args, { progress, log }) => {
      await progress(1, 2, 'half');
      await log('error', 'said');
      await progress(2, 2);
      return 'done';
    },
    more: { _meta: { progressToken: 'p', [META.logLevel]: 'info' } },
    want: /notifications\/progress.*"progressToken":"p".*"progress":2/s,
  },
  {
    what: 'metadata',
    work: (_args, { meta }) => String(meta?.['a/b']),
    more: { _meta: { 'a/b': 'c' } },
    want: /"text":"c"/,
  },
  {
    what: 'a question',
    work: asks,
    want: /elicitation\/create.*Ada/s,
    only: ['2025-06-18', '2025-11-25', '2026-07-28'],
  },
  { what: 'a question that nobody answers', work: asks, asksNobody: true, want: /elicit|cannot ask/ },
  { what: 'a function', want: /"text":"function"/ },
  {
    what: 'a function that yields progress',
    args: { id: 3 },
    more: { _meta: { progressToken: 7 } },
    want: /"progressToken":7/,
  },
  {
    what: 'prepared arguments',
    prepare: (args) => ({ ...args, id: 7 }),
    work: (args) => args,
    want: /\{\\"id\\":7\}/,
  },
  { what: 'a scope that the token has', work: () => 'done', scopes: ['pets'], want: /"done"/ },
  { what: 'a scope that the token lacks', work: () => 'done', scopes: ['admin'], want: /scope/ },
  {
    what: 'a destructive tool that is confirmed',
    work: () => 'done',
    tool: { annotations: { destructiveHint: true } },
    confirms: true,
    want: /elicitation\/create.*"done"|confirm/s,
  },
  {
    what: 'a destructive tool that nobody can confirm',
    work: () => 'done',
    tool: { annotations: { destructiveHint: true } },
    confirms: true,
    asksNobody: true,
    want: /was not run|can't|cannot/,
  },
  {
    what: 'a cancelled call',
    work: async (_args, { signal }) => untilLeft(signal),
    cancels: true,
    want: /"outcome":"cancelled"/,
  },
  {
    what: 'a task and its result',
    work: async (_args, { progress }) => (await progress(1), 'done'),
    tool: IN_TASK,
    more: { ...asTask, _meta: { progressToken: 'p' } },
    then: ['tasks/get', 'tasks/result', 'tasks/list'],
    want: /"text":"done"/,
    only: CORE_TASKS,
  },
  {
    what: 'a task that fails',
    work: () => Promise.reject(new Error('broken')),
    tool: IN_TASK,
    more: asTask,
    then: ['tasks/result'],
    want: /"broken"/,
    only: CORE_TASKS,
  },
  {
    what: 'a task that asks',
    work: asks,
    tool: IN_TASK,
    more: asTask,
    then: ['tasks/result'],
    want: /Ada/,
    only: CORE_TASKS,
  },
  {
    what: 'a task that is cancelled',
    work: async (_args, { signal }) => untilLeft(signal),
    tool: IN_TASK,
    more: asTask,
    then: ['tasks/cancel', 'tasks/get'],
    want: /cancelled/,
    only: CORE_TASKS,
  },
  {
    what: 'a task with arguments that do not fit',
    work: () => 'done',
    args: { id: 'x' },
    tool: IN_TASK,
    more: asTask,
    then: ['tasks/result'],
    want: /do not match/,
    only: CORE_TASKS,
  },
  {
    what: 'a task that must be one',
    work: () => 'done',
    tool: { execution: { taskSupport: 'required' } },
    want: /task/,
    only: ['2025-11-25', '2026-07-28'],
  },
  {
    what: 'a task of a tool without tasks',
    work: () => 'done',
    more: asTask,
    want: /task|done/,
    only: CORE_TASKS,
  },
  {
    what: 'a task of the extension',
    work: () => 'done',
    tool: { execution: { taskSupport: 'required' } },
    then: ['tasks/get'],
    want: /"resultType":"task"/,
    only: ['2026-07-28'],
  },
];

async function untilLeft(signal: AbortSignal): Promise<string> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  return 'left';
}

const TARGET = 'feed_pet';
const HINTS: ToolAnnotations = { readOnlyHint: true };

interface Heard {
  frames: unknown[];
  audit: unknown[];
  called: unknown[];
  reported: unknown[];
}

/** What the client hears of one call, and what the server does. */
async function converse(row: Row, revision: Revision, by: string | undefined): Promise<Heard> {
  const heard: Heard = { frames: [], audit: [], called: [], reported: [] };
  const listed: ListedTool = {
    name: TARGET,
    description: 'Feeds a pet',
    inputSchema: { type: 'object', properties: { id: { type: 'integer' } }, additionalProperties: false },
    annotations: HINTS,
    ...row.tool,
  };
  const { work, prepare, scopes } = row;
  const handler: Work | undefined =
    work && (async (args, context) => (heard.called.push(args), work(args, context)));
  const binding: FunctionBinding = {
    kind: 'function',
    module: 'app/a.ts',
    export: 'feed',
    parameters: ['id'],
    streams: true,
  };
  const isModern = revision === '2026-07-28';
  const log = { add: (line: string) => heard.audit.push(JSON.parse(line)) };
  const server = createServer({
    definition: {
      info: { name: 'pets', version: '1' },
      features: allFeatures,
      handlers:
        handler === undefined
          ? {}
          : { extraTools: [{ ...listed, handler, ...(prepare && { prepare }), ...(scopes && { scopes }) }] },
      functions: {
        runtime: () => import('../../../templates/runtime/functions/index.ts'),
        modules: {
          'app/a.ts': () =>
            Promise.resolve({
              feed: async function* (id?: number) {
                if (id !== undefined) yield id;
                return 'function';
              },
            }),
        },
      },
      ...(scopes && { auth: { runtime: () => Promise.resolve(oauth) } }),
    },
    catalog: newCatalog({ tools: handler === undefined ? [listed] : [] }),
    readBindings: () =>
      JSON.stringify({
        tools: handler === undefined ? { [TARGET]: { do: binding satisfies Binding } } : {},
        resources: {},
        resourceTemplates: {},
        prompts: {},
        completions: [],
      }),
    env: {},
    limits: DEFAULT_LIMITS,
    audit: createAudit({ server: 'pets', log, show: (args) => args, now: () => 0 }),
    repairs: row.repairs ?? true,
    confirms: row.confirms,
    report: (thrown) => heard.reported.push(String(thrown)),
  });
  server.surface = openSurface(server, ['search'], printIndex(handler === undefined ? [listed] : [], []));
  const core = createCheckedCore(server);
  const session = new Session('info');
  let isOpen = false;
  let id = 0;
  const capabilities =
    row.asksNobody === true
      ? {}
      : {
          elicitation: { form: {} },
          ...(isModern ? { extensions: { 'io.modelcontextprotocol/tasks': {} } } : {}),
        };
  const hear = (message: object): void => {
    if (isOpen) heard.frames.push(JSON.parse(JSON.stringify(message)));
    if (!('id' in message) || !('method' in message)) return;
    const result = { action: 'accept', content: { name: 'Ada', confirm: true } };
    void core(readReceived({ jsonrpc: '2.0', id: message.id, result }), context);
  };
  const context: RequestContext = {
    channel: isModern ? new Channel() : session,
    session: isModern ? undefined : session,
    caller: scopes && callerOf('alice', ['pets']),
    send: async (message) => hear(message),
  };
  session.push = hear;
  const put = async (method: string, params: object): Promise<Answer | undefined> => {
    const _meta = {
      ...Reflect.get(params, '_meta'),
      [META.protocolVersion]: revision,
      [META.clientCapabilities]: capabilities,
    };
    const answer = await core(
      readReceived({ jsonrpc: '2.0', id: ++id, method, params: isModern ? { ...params, _meta } : params }),
      context,
    );
    if (answer === undefined || Array.isArray(answer)) return undefined;
    hear(answerToObject(answer));
    return answer;
  };
  const tell = async (method: string, params: object): Promise<unknown> =>
    core(readReceived({ jsonrpc: '2.0', method, params }), context);
  if (!isModern) {
    await put('initialize', {
      protocolVersion: revision,
      capabilities,
      clientInfo: { name: 'tests', version: '1' },
    });
    await tell('notifications/initialized', {});
  }
  isOpen = true;
  const args = 'args' in row ? row.args : {};
  const given = { name: TARGET, ...(args === undefined ? {} : { arguments: args }) };
  const params = { ...(by === undefined ? given : { name: by, arguments: given }), ...row.more };
  const calling = put('tools/call', params);
  if (row.cancels === true) {
    const call = id;
    while (heard.called.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await tell('notifications/cancelled', { requestId: call, reason: 'left' });
  }
  let answer = await calling;
  for (let round = 0; round < 3 && answer?.kind === 'result'; round++) {
    const result = (
      answerToObject(answer) as {
        result: { resultType?: string; inputRequests?: object; requestState?: string };
      }
    ).result;
    if (result.resultType !== 'input_required') break;
    const keys = Object.keys(result.inputRequests ?? {});
    const inputResponses = Object.fromEntries(
      keys.map((key) => [key, { action: 'accept', content: { name: 'Ada', confirm: true } }]),
    );
    answer = await put('tools/call', { ...params, inputResponses, requestState: result.requestState });
  }
  const task = /"taskId":"([^"]+)"/.exec(JSON.stringify(heard.frames))?.[1];
  for (const method of row.then ?? []) {
    if (method !== 'tasks/cancel')
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    await put(method, method === 'tasks/list' ? {} : { taskId: task });
  }
  session.end();
  return JSON.parse(steady(JSON.stringify(heard))) as Heard;
}

/** Without what differs from call to call. */
function steady(text: string): string {
  return text
    .replace(/"(taskId|requestState|createdAt|lastUpdatedAt|time|task)":"[^"]*"/g, '"$1":"…"')
    .replace(/"(ms)":\d+/g, '"$1":0');
}

test.each(rows.flatMap((row) => (row.only ?? REVISIONS).map((revision) => ({ ...row, revision }))))(
  '$what, in $revision',
  async ({ revision, ...row }) => {
    const named = await converse(row, revision, undefined);
    const access = readAccess({ annotations: HINTS, ...row.tool });
    for (const by of ACCESS) {
      const called = await converse(row, revision, CALL_TOOLS[by]);
      if (mayCall(by, access)) expect(called).toEqual(named);
      else expect(called.called).toEqual([]);
    }
    expect(JSON.stringify(named)).toMatch(row.want);
    expect(named.audit.length).toBeGreaterThan(0);
    for (const line of named.audit) expect(line).toMatchObject({ tool: TARGET });
  },
);
