// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Tasks: calls that go on after their request was answered (2025-11-25, and the extension of 2026-07-28). */
import type { Call, Feature, Method, MethodCall } from '../../feature.ts';
import {
  INTERNAL_ERROR,
  invalidParams,
  isRecord,
  META,
  METHOD_NOT_FOUND,
  MISSING_CAPABILITY,
  RpcError,
  writeJson,
} from '../../json-rpc.ts';
import type { Agreement, Notification } from '../../json-rpc.ts';
import type { Server } from '../../server.ts';
import type { Exchange, Session } from '../../session.ts';
import { makeContext } from '../../tools.ts';
import { askedOf, askingByMessages } from '../asking.ts';
import { Task, TASK_LIMITS, type TaskOutcome, type TaskOwner, TasksInMemory, type TaskView } from './task.ts';

declare module '../../types.ts' {
  interface ToolInfo {
    execution?: { taskSupport?: 'forbidden' | 'optional' | 'required' };
  }
  interface ExtraTool {
    /** Runs before the handler and before a task is made, so that it may ask the client. Returns the handler's arguments. */
    prepare?: (args: Args, context: Context) => Args | Promise<Args>;
  }
}

const EXTENSION = `${META}tasks`;
const REVISION = '2025-11-25';

export function tasks(): Feature {
  /** Makes the task of a request, by its exchange. */
  const creators = new WeakMap<Exchange, (call: Call) => Promise<void>>();
  const opened = new Set<Server>();
  const store = new TasksInMemory();
  return {
    name: 'tasks',
    services: { tasks: store },
    catalog: { select: (_, server) => void server.gauges.set('mcp_tasks', () => store.size) },
    capabilities: (server, agreement) => {
      if (!hasTaskTools(server)) return {};
      if (agreement.era === 'modern') return { extensions: { [EXTENSION]: {} } };
      const tasks = { list: {}, cancel: {}, requests: { tools: { call: {} } } };
      return agreement.revision === REVISION ? { tasks } : {};
    },
    methods: {
      'tasks/get': {
        run: async (call) => describe(await findTask(call), call.agreement),
        nameParam: 'taskId',
      },
      'tasks/cancel': { run: cancelTask, nameParam: 'taskId' },
      'tasks/update': { run: updateTask, nameParam: 'taskId', era: 'modern' },
      'tasks/result': { run: awaitResult, era: 'legacy' },
      'tasks/list': { run: listTasks, era: 'legacy' },
    },
    aroundRequest: (call, next) => {
      opened.add(call.server);
      if (call.method === 'subscriptions/listen') return listen(call, next);
      return call.method === 'tools/call' && runsAsTask(call) ? runTask(call, next, creators) : next(call);
    },
    aroundCall: {
      confirm: async (call, next) => {
        const { extraTools = [] } = call.request.server.catalog.handlers;
        const { prepare } = extraTools.find(({ name }) => name === call.name) ?? {};
        if (prepare !== undefined) call.args = await prepare(call.args, makeContext(call));
        // That of a function runs once for each call, before its task begins.
        const prepareFunction =
          call.request.server.parts<(call: Call, args: object) => Promise<unknown>>('prepare');
        const { tools = {} } = call.request.server.catalog.handlers;
        // What it throws, it throws again in the work.
        if (!Object.hasOwn(tools, call.name))
          await prepareFunction['function']?.(call, call.args).catch(() => undefined);
        if (call.origin === 'client' && call.kind === 'tool')
          await creators.get(call.request.exchange)?.(call);
        return next();
      },
    },
    stop: () => opened.forEach(({ services }) => services.tasks.end()),
  };
}

function supportOf(server: Server, name: unknown): string {
  return server.catalog.tools.get(String(name))?.execution?.taskSupport ?? 'forbidden';
}

function hasTaskTools({ catalog }: Server): boolean {
  return [...catalog.tools.values()].some(
    ({ execution }) => (execution?.taskSupport ?? 'forbidden') !== 'forbidden',
  );
}

function declaresTasks({ clientCapabilities: { extensions } }: Agreement): boolean {
  return isRecord(extensions) && isRecord(extensions[EXTENSION]);
}

function missingTasks(reason: string): RpcError {
  const data = { requiredCapabilities: { extensions: { [EXTENSION]: {} } } };
  return new RpcError(MISSING_CAPABILITY, reason, { status: 400, data });
}

/** In 2025-11-25 the client decides, in 2026-07-28 the server. @throws {RpcError} if the tool can't run as the client asks */
function runsAsTask({ server, agreement, params }: MethodCall): boolean {
  const support = supportOf(server, params['name']);
  const reason = `The tool ${String(params['name'])} runs as a task only.`;
  if (agreement.era === 'modern') {
    if (support === 'forbidden' || declaresTasks(agreement)) return support !== 'forbidden';
    if (support === 'required') throw missingTasks(reason);
    return false;
  }
  if (agreement.revision !== REVISION || !hasTaskTools(server)) return false;
  const isWanted = params['task'] !== undefined;
  if (isWanted && support === 'forbidden' && server.catalog.tools.has(String(params['name'])))
    throw new RpcError(METHOD_NOT_FOUND, `The tool ${String(params['name'])} does not run as a task.`);
  if (!isWanted && support === 'required') throw new RpcError(METHOD_NOT_FOUND, reason);
  if (isWanted) readTtl(params);
  return isWanted && support !== 'forbidden';
}

function readTtl({ task }: MethodCall['params']): number | undefined {
  if (!isRecord(task)) throw invalidParams('`task` must be an object.');
  const { ttl } = task;
  if ((ttl ?? undefined) === undefined) return undefined;
  if (typeof ttl === 'number' && ttl >= 0) return Math.floor(ttl);
  throw invalidParams('`task.ttl` must be milliseconds.');
}

function ownerOf({ session, agreement }: MethodCall): TaskOwner {
  const hasClient = agreement.era === 'modern' && session.client !== '';
  return { subject: session.caller?.subject, client: hasClient ? session.client : session };
}

/** Answers with a task once the call has been admitted and prepared, and runs the tool behind it. What ends before is answered as ever. */
async function runTask(
  call: MethodCall,
  next: (call: MethodCall) => Promise<object>,
  creators: WeakMap<Exchange, (call: Call) => Promise<void>>,
): Promise<object> {
  const { session, exchange, agreement, server, params } = call;
  const isLegacy = agreement.era === 'legacy';
  const task = new Task(ownerOf(call), String(params['name']), isLegacy ? readTtl(params) : undefined);
  let isCreated = false;
  const forget = call.work.onCancel(() => task.work.cancel(call.work.reason ?? ''));
  const create = async (): Promise<void> => {
    await server.services.tasks.add(task);
    isCreated = true;
    forget();
    if (isLegacy) task.onChange(() => tellStatus(task, call));
  };
  const send = async (message: Notification & { id?: unknown }): Promise<void> => {
    const { id, method, params: body = {} } = message;
    if (!isCreated) return exchange.send(message as Notification);
    if (typeof id === 'string') task.addQuestion(id, method, message.params);
    else if (method === 'notifications/cancelled')
      task.dropQuestion(String((body as { requestId?: unknown }).requestId));
    // 2026-07-28 has no progress and no log of tasks.
    else if (isLegacy) session.push({ jsonrpc: '2.0', method, params: relateTo(task, body) });
  };
  // Questions of a task wait in it; those before are of the session.
  const taskSession = Object.create(session, {
    replies: { get: () => (isCreated ? task.replies : session.replies) },
    isReady: { get: () => session.isReady || (isCreated && !isLegacy) },
    // Its own fields are private.
    onEnd: { value: (ending: () => void) => session.onEnd(ending) },
  }) as Session;
  const taskExchange = {
    ...exchange,
    session: taskSession,
    send,
    // The answer that this stream carries is the task, which the handler has no part in.
    get stream() {
      return isCreated ? undefined : exchange.stream;
    },
  };
  const created = new Promise<object>((resolve) => {
    creators.set(taskExchange, async ({ work }) => {
      if (work.reason !== undefined) return;
      await create();
      askingByMessages.add(work);
      resolve(describeCreated(task, agreement));
    });
  });
  const result = next({ ...call, session: taskSession, exchange: taskExchange, work: task.work });
  const ended = result.then(async (value) => {
    // In 2025-11-25 a call whose arguments are refused is a task, which fails.
    if (!isCreated && isLegacy && call.work.reason === undefined) await create();
    if (!isCreated) return value;
    return describeCreated(task, agreement);
  });
  void endTask(task, result, call);
  return Promise.race([created, ended]);
}

async function endTask(
  task: Task,
  result: Promise<object>,
  { agreement, server }: MethodCall,
): Promise<void> {
  const isLegacy = agreement.era === 'legacy';
  const outcome = await result.then(
    (value): TaskOutcome => ({ result: isLegacy ? value : { resultType: 'complete', ...value } }),
    (thrown: unknown): TaskOutcome => {
      if (thrown instanceof RpcError) {
        const { code, message, data } = thrown;
        return { error: { code, message, ...(data !== undefined && { data }) } };
      }
      server.report(thrown);
      return { error: { code: INTERNAL_ERROR, message: 'Internal error.' } };
    },
  );
  // The call is answered first, even if the tool ends at once.
  await new Promise((resolve) => setImmediate(resolve));
  const isFailed =
    'error' in outcome || (isLegacy && (outcome.result as { isError?: boolean }).isError === true);
  task.end(
    isFailed ? 'failed' : 'completed',
    outcome,
    'error' in outcome ? outcome.error.message : undefined,
  );
  task.work.isDone = true;
}

function tellStatus(task: Task, { session, agreement }: MethodCall): void {
  const params = describe(task, agreement);
  if (session.isReady) session.push({ jsonrpc: '2.0', method: 'notifications/tasks/status', params });
}

/** 2025-11-25, "Associating Task-Related Messages". */
function relateTo({ id }: TaskView, params: object): object {
  const { _meta } = params as { _meta?: object };
  return { ...params, _meta: { ..._meta, [`${META}related-task`]: { taskId: id } } };
}

function describeCreated(task: TaskView, agreement: Agreement): object {
  const described = describe(task, agreement, false);
  return agreement.era === 'legacy' ? { task: described } : { resultType: 'task', ...described };
}

/** @param isDetailed the outcome and the questions too (2026-07-28) */
function describe(task: TaskView, { era }: Agreement, isDetailed = true): object {
  const { id, status, statusMessage, createdAt, updatedAt, ttlMs, outcome, questions } = task;
  const members = {
    taskId: id,
    status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt: createdAt.toISOString(),
    lastUpdatedAt: updatedAt.toISOString(),
  };
  const { taskPollMs } = TASK_LIMITS;
  if (era === 'legacy') return { ...members, ttl: ttlMs, pollInterval: taskPollMs };
  const inputRequests = status === 'input_required' && { inputRequests: Object.fromEntries(questions) };
  return {
    ...members,
    ttlMs,
    pollIntervalMs: taskPollMs,
    ...(isDetailed && { ...outcome, ...inputRequests }),
  };
}

// Methods.

/** An unknown task and that of another caller get one error, so that nobody finds out which ids exist. */
async function findTask(call: MethodCall): Promise<TaskView> {
  requireTasks(call);
  const { server, params, session } = call;
  const { taskId } = params;
  if (typeof taskId !== 'string') throw invalidParams('`taskId` must be a string.');
  const task = await server.services.tasks.find(taskId);
  if (task === undefined || task.owner.subject !== session.caller?.subject)
    throw invalidParams(`Unknown task: ${taskId}`);
  await admit(task, call);
  return task;
}

/** Who may not call the tool may not see what it did. */
async function admit({ tool }: TaskView, request: MethodCall): Promise<void> {
  const { work } = request;
  const call: Call = { kind: 'tool', name: tool, args: {}, origin: 'client', request, work };
  for (const { aroundCall } of request.server.features) {
    const outcome = await aroundCall?.admit?.(call, async () => ({ result: { content: [] } }));
    if (outcome?.error !== undefined) throw outcome.error;
  }
}

function requireTasks({ agreement, server, method }: MethodCall): void {
  if (agreement.era === 'modern') {
    if (declaresTasks(agreement)) return;
    throw missingTasks('Only clients that declare tasks may ask for them.');
  }
  if (agreement.revision !== REVISION || !hasTaskTools(server))
    throw new RpcError(METHOD_NOT_FOUND, `Unknown method: ${method}`);
}

/** Cancelling an ended task is an error in 2025-11-25 only. */
const cancelTask: Method['run'] = async (call) => {
  const task = await findTask(call);
  const isLegacy = call.agreement.era === 'legacy';
  if (task.hasEnded && isLegacy) throw invalidParams(`The task has ended already: it is ${task.status}.`);
  await task.cancel('The client cancelled the task.');
  return isLegacy ? describe(task, call.agreement) : {};
};

const updateTask: Method['run'] = async (call) => {
  const task = await findTask(call);
  const { inputResponses } = call.params;
  if (!isRecord(inputResponses)) throw invalidParams('`inputResponses` must be an object.');
  const replies = Object.entries(inputResponses);
  for (const [key, result] of replies)
    if (!isRecord(result)) throw invalidParams(`\`inputResponses[${writeJson(key)}]\` must be an object.`);
  for (const [key, result] of replies) await task.reply(key, { result: result as Record<string, unknown> });
  return {};
};

const listTasks: Method['run'] = async (call) => {
  requireTasks(call);
  if (call.params['cursor'] !== undefined)
    throw invalidParams('`cursor` must be one that this server gave for this list.');
  const tasks = await call.server.services.tasks.list(ownerOf(call));
  const admitted = await Promise.all(
    tasks.map((task) =>
      admit(task, call).then(
        () => [task],
        () => [],
      ),
    ),
  );
  return { tasks: admitted.flat().map((task) => describe(task, call.agreement)) };
};

const awaitResult: Method['run'] = async (call) => {
  const task = await findTask(call);
  await forwardQuestions(task, call);
  const { outcome } = task;
  if (outcome === undefined) throw invalidParams('The task was cancelled: it has no result.');
  if ('result' in outcome) return relateTo(task, outcome.result);
  const { code, message, data } = outcome.error;
  throw new RpcError(code, message, { data });
};

/** Until the task ends, its questions are put on this request. Several requests may wait for one task: the first answer counts. */
async function forwardQuestions(task: TaskView, { session, exchange, work }: MethodCall): Promise<void> {
  const put = new Map<string, string>();
  const withdraw = (key: string, id: string): void => {
    put.delete(key);
    if (!session.replies.delete(id)) return;
    const params = { requestId: id, reason: 'The question is no longer open.' };
    void exchange.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
  };
  await new Promise<void>((resolve) => {
    const follow = (): void => {
      const isOver = task.hasEnded || work.reason !== undefined;
      for (const [key, id] of put) if (isOver || !task.questions.has(key)) withdraw(key, id);
      if (isOver) {
        forgetTask();
        forgetWork();
        return resolve();
      }
      for (const [key, { method, params = {} }] of task.questions) {
        if (put.has(key)) continue;
        const id = `task-${++askedOf(session).last}`;
        put.set(key, id);
        session.replies.set(id, (reply) => {
          session.replies.delete(id);
          void task.reply(key, reply);
        });
        void exchange.send({ jsonrpc: '2.0', id, method, params: relateTo(task, params) });
      }
    };
    const forgetTask = task.onChange(follow);
    const forgetWork = work.onCancel(follow);
    follow();
  });
}

/** `subscriptions/listen` tells changes of the caller's tasks, too. */
async function listen(call: MethodCall, next: (call: MethodCall) => Promise<object>): Promise<object> {
  const { server, params, exchange, id, agreement, work } = call;
  const { taskIds } = isRecord(params['notifications']) ? params['notifications'] : {};
  if (taskIds === undefined) return next(call);
  requireTasks(call);
  if (
    !Array.isArray(taskIds) ||
    taskIds.length > 1_000 ||
    !taskIds.every((taskId) => typeof taskId === 'string')
  )
    throw invalidParams('`notifications.taskIds` must be an array of 1000 strings at most.');
  const own: string[] = [];
  for (const taskId of taskIds) {
    // What it tells is what `tasks/get` tells, and needs the same scopes.
    const task = await findTask({ ...call, params: { taskId } }).catch(() => undefined);
    if (task !== undefined) own.push(taskId);
  }
  const tag = { _meta: { [`${META}subscriptionId`]: id } };
  let isAcknowledged = false;
  const send: Exchange['send'] = (message) => {
    if (message.method !== 'notifications/subscriptions/acknowledged') return exchange.send(message);
    isAcknowledged = true;
    const { notifications, ...rest } = message.params as { notifications: object };
    const withTasks = own.length > 0 ? { ...notifications, taskIds: own } : notifications;
    return exchange.send({ ...message, params: { notifications: withTasks, ...rest } });
  };
  const forget = server.services.tasks.onChange((task) => {
    if (!isAcknowledged || work.reason !== undefined || !own.includes(task.id)) return;
    const params = { ...describe(task, agreement), ...tag };
    void exchange.send({ jsonrpc: '2.0', method: 'notifications/tasks', params });
  });
  return next({ ...call, exchange: { ...exchange, send } }).finally(forget);
}
