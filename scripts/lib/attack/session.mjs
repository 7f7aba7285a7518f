/** Clients of a server under attack: the messages they send, over connections that they make themselves. */
import { get, request } from 'node:http';

export function callOf(name, args, more = {}) {
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args, ...more } };
}

const clientInfo = { name: 'attack', version: '1.0.0' };
const capabilities = { elicitation: {} };

export const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities, clientInfo },
};

export const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

const modernVersion = '2026-07-28';

/** Sender's metadata in every request of the revision without sessions. */
const envelope = {
  'io.modelcontextprotocol/protocolVersion': modernVersion,
  'io.modelcontextprotocol/clientCapabilities': capabilities,
  'io.modelcontextprotocol/clientInfo': clientInfo,
};

/** The same message of 2026-07-28, and the headers that go with it. */
export function modern({ params, ...message }) {
  const name = params?.name ?? params?.uri;
  return {
    message: { ...message, params: { ...params, _meta: envelope } },
    headers: {
      'mcp-protocol-version': modernVersion,
      'mcp-method': message.method,
      ...(name === undefined ? {} : { 'mcp-name': name }),
    },
  };
}

/** `isWhole` of the answer: the server has ended it. */
export function ask(url, { method = 'POST', headers = {}, body } = {}) {
  const given = {
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    accept: 'application/json, text/event-stream',
    ...headers,
  };
  const fields = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: fields, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      const done = () => {
        const { statusCode: status, headers, complete: isWhole } = response;
        resolve({ status, headers, text, isWhole });
      };
      response.on('end', done).on('error', done);
    });
    sent.on('upgrade', ({ statusCode: status, headers }, socket) => {
      socket.destroy();
      resolve({ status, headers, text: '', isWhole: true });
    });
    sent.on('error', reject).end(body);
  });
}

/** A legacy session over Streamable HTTP. */
export class Session {
  /** `own`: headers of each of its requests. */
  static async open(url, own = {}) {
    const { headers } = await ask(url, { body: JSON.stringify(initialize), headers: own });
    const session = new Session(url, String(headers['mcp-session-id']), own);
    await session.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return session;
  }

  constructor(url, id, own) {
    this.url = url;
    this.id = id;
    this.own = own;
  }

  send(message, headers = {}) {
    const body = typeof message === 'string' ? message : JSON.stringify(message);
    return ask(this.url, { body, headers: { ...this.own, 'mcp-session-id': this.id, ...headers } });
  }
}

export function sendModern(url, message, headers = {}) {
  const made = modern(message);
  return ask(url, { body: JSON.stringify(made.message), headers: { ...made.headers, ...headers } });
}

/** The message of an answer: JSON, or the last event of a stream. */
export function messageOf({ text, headers }) {
  const isStream = headers['content-type']?.startsWith('text/event-stream') === true;
  const last = isStream ? /.*^data: (.*)$/ms.exec(text)?.[1] : text;
  return last === undefined || last === '' ? {} : JSON.parse(last);
}

/** How a stream of events was refused; where it was not, whether it told what the tool `steps` tells its caller. */
export function eventsOf({ status, text }) {
  return text.includes('a step of somebody') ? `${status}, told of another` : String(status);
}

/** The words of a result. */
export function textOf(answer) {
  return messageOf(answer).result?.content?.[0]?.text;
}

/** How it was refused, in a word or two: `404`, `400 -32600`, `tool error`; `200` where it was not. */
export function outcomeOf(answer) {
  const { error, result } = messageOf(answer);
  if (error !== undefined) return `${answer.status} ${error.code}`;
  return result?.isError === true ? 'tool error' : String(answer.status);
}

// --- HTTP+SSE, questions of tools, tasks ------------------------------------------------------------

/** Opens a session over HTTP+SSE, whose stream stays open until its server goes. Returns where its messages go. */
export function ssePlace(url, headers = {}) {
  return new Promise((resolve, reject) => {
    const opened = get(new URL('/sse', url), { headers, agent: false }, (response) => {
      response.on('error', () => undefined);
      response.once('data', (data) => resolve(new URL(/data: (\S+)/.exec(String(data))?.[1] ?? '', url)));
    });
    opened.on('error', reject);
  });
}

/** Yes, to what `ask` and `pay` want to know. */
export const answers = { inputResponses: { sure: { action: 'accept', content: { sure: true } } } };

/** Reads the state of a call that has asked. `own`: headers of its caller. */
export async function stateOf(url, tool, own) {
  return messageOf(await sendModern(url, callOf(tool, {}), own)).result.requestState;
}

/** Sends the answer, and reads the result. */
export async function goOn(url, tool, requestState, own) {
  return outcomeOf(await sendModern(url, callOf(tool, {}, { ...answers, requestState }), own));
}

/** Begins one. Returns its id. */
export async function taskOf(session, tool = 'slow') {
  const answer = await session.send(callOf(tool, {}, { task: { ttl: 60_000 } }));
  return messageOf(answer).result.task.taskId;
}

/** Whether a task is in the list that a session gets. `task`: its id. */
export async function listed(session, task) {
  const answer = await session.send({ jsonrpc: '2.0', id: 1, method: 'tasks/list' });
  return `${outcomeOf(answer)}, ${answer.text.includes(task) ? 'with it' : 'without it'}`;
}
