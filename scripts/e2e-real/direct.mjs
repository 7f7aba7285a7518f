/** Asks a server itself what it holds, past everything of ours. */
import assert from 'node:assert/strict';
import { request } from 'node:http';

/**
 * @param {string} url
 * @param {{ method?: string, headers?: Record<string, string>, json?: unknown, body?: Buffer }} [how]
 * @returns {Promise<{ status: number, body: Buffer, json: unknown }>} `json` is undefined where the body is none
 */
export function direct(url, { method = 'GET', headers = {}, json, body } = {}) {
  const all = json === undefined ? headers : { ...headers, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers: all, agent: false }, (answer) => {
      const chunks = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.once('error', reject);
      answer.once('end', () => resolve(answerOf(answer.statusCode, Buffer.concat(chunks))));
    });
    asked.once('error', reject);
    asked.end(json === undefined ? body : JSON.stringify(json));
  });
}

function answerOf(status, body) {
  try {
    return { status, body, json: JSON.parse(body.toString('utf8')) };
  } catch {
    return { status, body, json: undefined };
  }
}

/** Milliseconds between two looks. */
const PAUSE_MS = 100;

/**
 * Waits for what a server does a moment after it answered.
 * @param {() => Promise<unknown>} hasHappened truthy once it has
 * @param {number} [looks] at most, ten a second
 */
export async function until(hasHappened, looks = 100) {
  for (let look = 0; look < looks; look++) {
    if (await hasHappened()) return;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  assert.fail('It did not happen');
}
