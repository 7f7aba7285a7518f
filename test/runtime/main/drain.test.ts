// Probes get the readiness, and a balancer that reads them loses no call in a restart.
import { Agent } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { allFeatures as features } from '../../../templates/runtime/all-features.ts';
import { createServer, type ServerInstance } from '../../../templates/runtime/core/server-instance.ts';
import type { SharedHealth } from '../../../templates/runtime/feature-loaders.ts';
import { DEFAULT_LIMITS } from '../../../templates/runtime/contract/feature.ts';
import { startHttp } from '../../../templates/runtime/main/start-http.ts';
import { parseSettings } from '../../../templates/runtime/main/settings.ts';
import { newCatalog } from '../core/harness.ts';
import { once, pause, post } from './requests.ts';

interface Node {
  url: string;
  stop: () => Promise<void>;
  lines: string[];
}

/** A server in this process whose signal is `stop`. */
async function startNode(
  env: Record<string, string>,
  work = () => Promise.resolve('done'),
  health?: SharedHealth,
): Promise<Node> {
  const lines: string[] = [];
  const host = {
    env,
    stderr: { write: (text: string) => void lines.push(text) },
  } as unknown as NodeJS.Process;
  const settings = await parseSettings(
    new Map([
      ['transport', ['http']],
      ['port', ['0']],
    ]),
    env,
    { features },
  );
  const server: ServerInstance = createServer({
    definition: {
      info: { name: 'node', version: '1' },
      features,
      handlers: { extraTools: [{ name: 'x', inputSchema: { type: 'object' }, handler: work }] },
    },
    catalog: newCatalog({}),
    readBindings: () => '{"tools":{},"resources":{},"resourceTemplates":{},"prompts":{},"completions":[]}',
    env,
    limits: DEFAULT_LIMITS,
    report: (thrown) => void lines.push(String(thrown)),
  });
  if (health !== undefined) server.shared = { ...server.shared, health };
  let signal: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => (signal = resolve));
  let ended: Promise<void> | undefined;
  await new Promise<void>((resolve) => {
    ended = startHttp({ current: server }, settings, host, stopped, resolve);
  });
  const stop = async (): Promise<void> => {
    signal();
    await ended;
  };
  onTestFinished(stop);
  return { url: /http:[^ /]*\/\/[^ /]*/.exec(lines.join(''))?.[0] ?? '', stop, lines };
}

const probe = async (url: string): Promise<[status: number, body: unknown]> => {
  const response = await fetch(url);
  return [response.status, await response.json()];
};

test('a server that runs is alive and ready, whatever the Host', async () => {
  const { url } = await startNode({});
  expect(await probe(`${url}/livez`)).toEqual([200, { status: 'ok' }]);
  expect(await probe(`${url}/readyz`)).toEqual([200, { status: 'ready' }]);
  expect(await once(url, { method: 'GET', path: '/readyz', headers: { host: 'pod.example' } })).toMatchObject(
    { status: 200 },
  );
  expect(await once(url, { method: 'POST', path: '/readyz' })).toMatchObject({ status: 405 });
  expect(await once(url, { method: 'HEAD', path: '/readyz' })).toMatchObject({ status: 200, text: '' });
});

test.each(['up', 'down'] as const)('Redis that is %s stands in the body', async (state) => {
  const since = new Date(0);
  const { url } = await startNode({}, undefined, { store: 'redis', state, since });
  const redis = { state, since: since.toISOString() };
  expect(await probe(`${url}/readyz`)).toEqual([200, { status: 'ready', redis }]);
});

test('while it drains it is not ready, alive, takes calls and closes their connections; then it ends', async () => {
  const node = await startNode({ MCP_DRAIN_DELAY_MS: '400' });
  const { url } = node;
  expect((await post(url)).headers.connection).toBe('keep-alive');
  const ended = node.stop();
  await expect.poll(async () => (await probe(`${url}/readyz`))[0]).toBe(503);
  expect(await probe(`${url}/readyz`)).toEqual([503, { status: 'draining' }]);
  expect(await probe(`${url}/livez`)).toEqual([200, { status: 'ok' }]);
  const answer = await post(url);
  expect([answer.status, answer.headers.connection]).toEqual([200, 'close']);
  await ended;
  await expect(post(url)).rejects.toThrow();
  expect(node.lines.join('')).toContain(
    'draining: /readyz answers 503, and requests are taken for 400 ms more',
  );
});

test('a call in flight at the end of the delay is answered', async () => {
  let finish: ((value: string) => void) | undefined;
  const node = await startNode(
    { MCP_DRAIN_DELAY_MS: '20' },
    () => new Promise((resolve) => (finish = resolve)),
  );
  const answer = post(node.url);
  await expect.poll(() => finish).toBeDefined();
  const ended = node.stop();
  await expect.poll(() => node.lines.join('')).toContain('stopping');
  finish?.('late');
  expect((await answer).text).toContain('late');
  await ended;
});

test('a rolling restart at 200 calls a second loses none', { timeout: 30_000 }, async () => {
  // All is one process, and its probes must come in between on a busy machine too.
  const env = { MCP_DRAIN_DELAY_MS: '1000' };
  const work = async (): Promise<string> => {
    await pause(10);
    return 'done';
  };
  let nodes = await Promise.all([startNode(env, work), startNode(env, work)]);
  const ready = new Set(nodes);
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  let isOver = false;
  const watch = async (): Promise<void> => {
    while (!isOver) {
      for (const node of nodes) {
        const isReady = await probe(`${node.url}/readyz`).then(
          ([status]) => status === 200,
          () => false,
        );
        if (isReady) ready.add(node);
        else ready.delete(node);
      }
      await pause(20);
    }
  };
  const outcomes: Promise<string>[] = [];
  const begun = performance.now();
  const load = async (): Promise<void> => {
    while (!isOver) {
      // A busy machine wakes late: all that are due by now.
      for (const due = (performance.now() - begun) / 5; outcomes.length < due;) {
        const all = [...ready];
        const node = all[outcomes.length % all.length];
        if (node === undefined) throw new Error('No node is ready.');
        outcomes.push(post(node.url, { agent }).then(({ status }) => String(status), String));
      }
      await pause(5);
    }
  };
  const running = Promise.all([watch(), load()]);
  for (let round = 0; round < 2; round++) {
    const [old, ...others] = nodes;
    const next = await startNode(env, work);
    nodes = [...others, next];
    ready.add(next);
    // Its probe fails while it drains, as those of an orchestrator do.
    await Promise.all([old?.stop(), probeUntilGone(old, ready)]);
  }
  isOver = true;
  await running;
  const lost = (await Promise.all(outcomes)).filter((outcome) => outcome !== '200');
  expect(lost).toEqual([]);
  expect(outcomes.length).toBeGreaterThan(50);
});

async function probeUntilGone(node: Node | undefined, ready: Set<Node>): Promise<void> {
  while (node !== undefined && ready.has(node)) {
    await pause(20);
    const status = await probe(`${node.url}/readyz`).then(
      ([each]) => each,
      () => 0,
    );
    if (status !== 200) ready.delete(node);
  }
}
