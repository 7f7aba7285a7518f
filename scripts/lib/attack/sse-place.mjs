/** Sessions over HTTP+SSE. */
import { get } from 'node:http';

/**
 * Where messages to a new one go, whose stream stays open until its server goes.
 * @param {URL} url of the server @param {Record<string, string>} [headers] of who opens it
 * @returns {Promise<URL>}
 */
export function ssePlace(url, headers = {}) {
  return new Promise((resolve, reject) => {
    const opened = get(new URL('/sse', url), { headers, agent: false }, (response) => {
      response.on('error', () => undefined);
      response.once('data', (data) => resolve(new URL(/data: (\S+)/.exec(String(data))?.[1] ?? '', url)));
    });
    opened.on('error', reject);
  });
}
