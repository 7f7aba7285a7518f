/** Calls every tool of a server with samples of its input schema, through a recording proxy, and asks what the judge says. */
// Samples of patterns that are not plain need their reader.
import '../../../dist/templates/runtime/contract/regex/linear-patterns.js';
import { makeSample } from '../../../dist/templates/runtime/sample/sample-of.js';
import { startRecordingProxy } from './recording-proxy.mjs';
import { openSession } from './session.mjs';

/** Each tool is called with the least its schema allows, and with everything it names. */
const samples = { minimal: {}, full: { full: true } };

/**
 * @typedef {object} Miss
 * @property {string} tool
 * @property {string} sample which of them
 * @property {string} reason the judge's words, or why nothing reached it
 * @property {string} sent method and target
 */

/**
 * @param {object} run
 * @param {string} run.project
 * @param {string} [run.program] in place of `dist/main.js`
 * @param {Record<string, string>} run.env
 * @param {string} run.judge its origin
 * @param {(exchange: import('./recording-proxy.mjs').Exchange) => string | undefined} run.faultOf what the judge has against a request
 * @param {Map<string, object>} [run.schemas] the whole input schema of each tool of the API. A listed one may be cut, and other
 *   tools are not called. Default: what is listed.
 * @returns {Promise<{ tools: number, calls: number, misses: Miss[] }>}
 */
export async function callTools({ project, program, env, judge, faultOf, schemas }) {
  const proxy = await startRecordingProxy(judge);
  try {
    const session = await openSession(project, { program, env: { ...env, API_BASE_URL: proxy.origin } });
    try {
      const misses = [];
      let calls = 0;
      const listed = new Map(session.tools.map(({ name, inputSchema }) => [name, inputSchema]));
      for (const [tool, schema] of schemas ?? listed) {
        const made = samplesOf(schema);
        calls += made.length;
        for (const [sample, args] of made) {
          const { sent, reason } = await judgeCall(() => session.call(tool, args), proxy, faultOf);
          if (reason !== undefined) misses.push({ tool, sample, reason, sent });
        }
      }
      return { tools: (schemas ?? listed).size, calls, misses };
    } finally {
      await session.close();
    }
  } finally {
    await proxy.close();
  }
}

/** The full sample is left out where it says the same as the minimal one. */
function samplesOf(schema) {
  const made = Object.entries(samples).map(([name, options]) => [name, sampleOrNone(schema, options)]);
  return made.filter(([, args], at) => at === 0 || JSON.stringify(args) !== JSON.stringify(made[0][1]));
}

/** A schema that can't be read, or that nothing was found for, is called without arguments. */
function sampleOrNone(schema, options) {
  try {
    return makeSample(schema, options) ?? {};
  } catch {
    return {};
  }
}

/** The first request of a call is judged: those that follow go where the judge redirected to. */
async function judgeCall(call, proxy, faultOf) {
  const said = await call();
  const [first] = proxy.take();
  if (first === undefined) return { sent: '', reason: `nothing was sent: ${said}` };
  return { sent: `${first.method} ${first.target}`, reason: faultOf(first) };
}
