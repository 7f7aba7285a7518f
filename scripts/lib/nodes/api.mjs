/** The API behind the nodes: it counts what it did for each id, and must never do it twice. */
import { createServer } from 'node:http';

/**
 * @typedef {object} Api
 * @property {string} url
 * @property {Map<string, number>} effects id → how often it was done
 * @property {Map<string, number>} answered id → when its last answer was written
 * @property {Map<string, string>} traces id → the `traceparent` it came with
 * @property {() => number} doubled how many ids were done more than once
 * @property {() => Promise<void>} close
 */

/** `POST /jobs/{id}?ms=<number>` has its effect at once, and answers after so many milliseconds. @returns {Promise<Api>} */
export async function startApi() {
  const [effects, answered, traces] = [new Map(), new Map(), new Map()];
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://api');
    const id = decodeURIComponent(pathname.slice('/jobs/'.length));
    effects.set(id, (effects.get(id) ?? 0) + 1);
    traces.set(id, request.headers.traceparent);
    request.resume();
    setTimeout(
      () => {
        answered.set(id, performance.now());
        const body = JSON.stringify({ id, session: searchParams.get('session') ?? '' });
        response.writeHead(200, { 'content-type': 'application/json' }).end(body);
      },
      Number(searchParams.get('ms') ?? 0),
    );
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    effects,
    answered,
    traces,
    doubled: () => [...effects.values()].filter((count) => count > 1).length,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * Runs `work` with an API, and ends it afterwards.
 * @template R
 * @param {(api: Api) => Promise<R>} work
 * @returns {Promise<R>}
 */
export async function withApi(work) {
  const api = await startApi();
  try {
    return await work(api);
  } finally {
    await api.close();
  }
}
