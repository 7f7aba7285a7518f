/** Asks a server itself what it holds, past everything of ours. */
import { request } from 'node:http';

/** `json` is undefined where the body is none. */
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
