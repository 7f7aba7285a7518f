// Rules 10 and 11 over HTTP: what is refused behind the method is 200 with the error, in each revision; over the rate, 429.
import { expect, test } from 'vitest';
import type { Handlers } from '../../../templates/runtime/definition.ts';
import {
  featuresOf,
  isModernRevision,
  type Revision,
} from '../../../templates/runtime/protocol/revisions.ts';
import type { Options } from '../transports/http-harness.ts';
import { start } from '../transports/http-harness.ts';
import { ALL, inEach } from './speaking.ts';
import { metaOf, REQUESTS, subject } from './subject.ts';

/** A server with one of everything, and a request to it as the revision has it. */
async function served(revision: Revision, more: Handlers<object> = {}, options: Options = {}) {
  const { server, ran } = subject(undefined, { handlers: more });
  const { post, open } = await start({ server, ...options });
  const session = isModernRevision(revision) ? undefined : await open(revision);
  const ask = async (method: string, params: object) => {
    const request = { jsonrpc: '2.0', id: 7, method, params };
    if (session !== undefined) return post(request, session);
    const { name, uri } = { name: undefined, uri: undefined, ...params };
    return post(
      { ...request, params: { ...params, _meta: metaOf() } },
      { 'mcp-protocol-version': revision, 'mcp-method': method, 'mcp-name': name ?? uri },
    );
  };
  return { ask, ran };
}

const NOT_FOUND = 'Resource not found: own://t/..';
const ref = { type: 'ref/prompt', name: 'p' };

test.each(
  inEach<[string, object, string]>(ALL, [
    ['tools/call', { name: 'y' }, 'Unknown tool: y'],
    ['tools/call', { name: 'x', arguments: [] }, '`arguments` must be an object.'],
    ['prompts/get', { name: 'q' }, 'Unknown prompt: q'],
    ['prompts/get', { name: 'p' }, 'The prompt p needs the argument `who`.'],
    ['prompts/get', { name: 'p', arguments: { who: 7 } }, 'The argument `who` must be a string.'],
    ['completion/complete', { ref }, '`argument` must have a `name` and a `value`, both strings.'],
    ['resources/read', { uri: 'own://t/..' }, NOT_FOUND],
  ]),
)('%s: %s of %j', async (revision, method, params, message) => {
  const { ask, ran } = await served(revision);
  const { status, json } = await ask(method, params);
  const isMissing = message === NOT_FOUND;
  const code = isMissing ? featuresOf(revision).unknownResource : -32602;
  const data = isMissing ? { data: params } : {};
  expect([status, json()]).toEqual([200, { jsonrpc: '2.0', id: 7, error: { code, message, ...data } }]);
  expect(ran()).toBe(0);
});

test.each(inEach<['call' | 'complete' | 'read']>(ALL, [['call'], ['complete'], ['read']]))(
  '%s: %s over the rate is 429, and does not run',
  async (revision, what) => {
    const { ask, ran } = await served(revision, {}, { callsPerMinute: 2 });
    const [method, params] = REQUESTS[what];
    for (let times = 0; times < 2; times++) expect((await ask(method, params)).status).toBe(200);
    const { status, headers, json } = await ask(method, params);
    expect([status, headers['retry-after'], json()]).toEqual([
      429,
      '30',
      { jsonrpc: '2.0', id: 7, error: { code: -32603, message: 'Too many calls. Try again in 30 seconds.' } },
    ]);
    expect(ran()).toBe(2);
  },
);
