/** Calls the API itself by `node:http`, over connections that are kept: what an emitted server is compared with. */
import { Agent, request } from 'node:http';

/**
 * @param {string} base the API's URL
 * @param {{ inFlight: number }} settings
 * @returns {import('../bench-runtime/stdio-load.mjs').Load}
 */
export function newDirectLoad(base, { inFlight }) {
  const agent = new Agent({ keepAlive: true });
  return {
    run: async (calls) => {
      let made = 0;
      const start = performance.now();
      const work = async () => {
        while (made < calls) await callOnce(base, agent, ++made);
      };
      await Promise.all(Array.from({ length: inFlight }, work));
      return performance.now() - start;
    },
    resident: () => undefined,
    close: async () => agent.destroy(),
  };
}

function callOnce(base, agent, id) {
  return new Promise((resolve, reject) => {
    request(`${base}/sum?a=${id}&b=1`, { agent }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      response.on('end', () => {
        if (JSON.parse(text).sum === id + 1) resolve();
        else reject(new Error(`A wrong answer: ${text}`));
      });
    })
      .on('error', reject)
      .end();
  });
}
