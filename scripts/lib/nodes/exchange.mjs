/** One HTTP request to an endpoint, whose messages are read as they come. Nothing is tried again here. */
import { Agent, request } from 'node:http';

/** Clients keep their connections to the balancer. */
const agent = new Agent({ keepAlive: true });

/**
 * @typedef {object} Exchanged
 * @property {number} status 0 when no answer began
 * @property {Record<string, string>} headers
 * @property {string | undefined} node that answered
 * @property {object[]} messages
 * @property {string | undefined} last the id of the last event
 * @property {boolean} isWhole whether the answer came to its end
 */

/**
 * @param {URL} url
 * @param {object} settings
 * @param {string} [settings.method]
 * @param {Record<string, string>} [settings.headers]
 * @param {object} [settings.message] sent as the body
 * @param {(message: object, state: Exchanged, stop: () => void) => void} [settings.take] called for each message; `stop` breaks off
 * @param {() => void} [settings.begun] called when the answer has begun, or none will
 * @param {AbortSignal} [settings.signal] breaks off
 * @param {boolean} [settings.isAlone] over a connection of its own
 * @returns {Promise<Exchanged>} never rejects
 */
export function exchange(
  url,
  { method = 'POST', headers = {}, message, take, begun, signal, isAlone = false },
) {
  const body = message === undefined ? undefined : JSON.stringify(message);
  const own = {
    accept: body === undefined ? 'text/event-stream' : 'application/json, text/event-stream',
    ...headers,
  };
  if (body !== undefined)
    Object.assign(own, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  const state = { status: 0, headers: {}, node: undefined, messages: [], last: undefined, isWhole: false };
  return new Promise((resolve) => {
    const sent = request(url, { method, headers: own, agent: isAlone ? false : agent });
    const stop = () => sent.destroy();
    signal?.addEventListener('abort', stop, { once: true });
    const end = () => {
      signal?.removeEventListener('abort', stop);
      begun?.();
      resolve(state);
    };
    const accept = (text) => {
      const read = JSON.parse(text);
      state.messages.push(read);
      take?.(read, state, stop);
    };
    sent.on('response', (answer) => {
      Object.assign(state, {
        status: answer.statusCode,
        headers: answer.headers,
        node: answer.headers['x-node'],
      });
      begun?.();
      answer.setEncoding('utf8').on('error', () => undefined);
      readMessages(answer, state, accept);
      answer.on('close', () => {
        state.isWhole = answer.complete;
        end();
      });
    });
    sent.on('error', end);
    sent.on('close', () => {
      if (state.status === 0) end();
    });
    sent.end(body);
  });
}

function readMessages(answer, state, accept) {
  const type = answer.headers['content-type'] ?? '';
  let text = '';
  if (type.startsWith('text/event-stream')) {
    answer.on('data', (chunk) => {
      const events = (text + chunk).split('\n\n');
      text = events.pop();
      for (const event of events) {
        state.last = /^id: (.*)$/m.exec(event)?.[1] ?? state.last;
        const data = /^data: (.+)$/m.exec(event)?.[1];
        if (data !== undefined) accept(data);
      }
    });
  } else {
    answer.on('data', (chunk) => (text += chunk));
    answer.on('end', () => {
      if (type.startsWith('application/json') && text !== '') accept(text);
    });
  }
}
