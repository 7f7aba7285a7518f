/** Judges of requests that stand in place of an API: mock servers which say in headers what they have against a request. */
import { freePort } from '../free-port.mjs';
import { start } from '../start.mjs';
import { Tools } from '../tools.mjs';

const ofPrism = new Tools('test/judges/prism');
const ofSteady = new Tools('test/judges/steady');

/**
 * Documents that Steady must be told more about. OpenAPI says nothing on arrays inside of `deepObject`; these APIs
 * want brackets, and their documents can't say so.
 */
const brackets = ['query-array', 'query-object', 'form-array', 'form-object'].map(
  (what) => `--validator-${what}-format=brackets`,
);
const moreArguments = { 'stripe-2022.json': brackets, 'stripe-2023.yaml': brackets };

/** Prism is still starting after two minutes. */
const endless = ['argo-workflows.json', 'kubernetes.json'];

/** `takes`: which documents; `faultOf`: what it has against a request; `documents`: the fewest that it must judge. */
export const judges = {
  steady: {
    tools: ofSteady,
    documents: 20,
    takes: ({ version }) => /^3\.[01]\./.test(version),
    start: ({ name, file }) => {
      const program = ofSteady.path(`@stdy/cli-${process.platform}-${process.arch}`, 'bin/steady');
      const args = ['--host', '127.0.0.1', '--quiet', '--no-color', '--stream-interval=0'];
      return serve([program, ...args, ...(moreArguments[name] ?? [])], file, '/_x-steady/health');
    },
    faultOf({ status, answerHeaders, answerText }) {
      if (answerHeaders['x-steady-request-valid'] === 'true') return undefined;
      const count = Number(answerHeaders['x-steady-error-count'] ?? 0);
      const faults = Array.from({ length: count }, (_, at) =>
        ['code', 'path', 'message']
          .map((part) => answerHeaders[`x-steady-error-${at + 1}-${part}`])
          .join(' '),
      );
      return faults.join('; ') || `${status} without a verdict: ${answerText.slice(0, 200)}`;
    },
  },
  prism: {
    tools: ofPrism,
    documents: 8,
    takes: ({ version, name }) => version === '2.0' && !endless.includes(name),
    start: ({ file }) => {
      const program = ofPrism.path('@stoplight/prism-cli/dist/index.js');
      const args = ['mock', '--errors', '--host', '127.0.0.1', '--verboseLevel', 'error'];
      return serve([process.execPath, program, ...args], file, '/');
    },
    /** Complaints about its own mocked answer are in the same header, which is cut where it is too long. */
    faultOf({ status, answerHeaders, answerText }) {
      const header = answerHeaders['sl-violations'];
      if (header?.startsWith('Too many'))
        return header.includes('"location":["request"') ? header : undefined;
      if (header === undefined) {
        const isRefused = /stoplight\.io\/prism\/errors#/.test(answerText);
        return isRefused ? `${status} ${answerText.slice(0, 300)}` : undefined;
      }
      const violations = JSON.parse(header).filter(({ location }) => location[0] === 'request');
      const words = violations.map(({ location, code, message }) =>
        [location.join('.'), code, message].join(' '),
      );
      return words.length === 0 ? undefined : words.join('; ');
    },
  },
};

async function serve([command, ...args], file, health) {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const all = [...args, '--port', String(port), file];
  const { close } = await start({ command, args: all, health: origin + health });
  return { origin, close };
}
