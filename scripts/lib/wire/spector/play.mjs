/** Plays scenarios: each request is made by calling the tool it is about. */
import { inParallel } from '../../run.mjs';
import { startRecordingProxy } from '../call-tools.mjs';
import { credentialNames, openSession } from '../project.mjs';
import { argumentsOf } from './arguments.mjs';
import { matchRequest, targetsOf } from './match.mjs';

/** Servers at a time. */
const width = 2;

/**
 * Override: what a scenario's request does not tell; `value`: what is written in its body; `mediaType`: of its bytes;
 * `credential`: in place of what is valid; `without`: credentials whose variables begin so are not given.
 */

/**
 * `scene.documents`: of one version of OpenAPI; `scene.spector`: its origin; `scene.overrides`: by scenario; returns
 * by scenario, what Spector or the server said of requests that went wrong.
 */
export async function play({ scenarios, documents, spector, overrides }) {
  const faults = new Map(scenarios.map(({ name }) => [name, []]));
  const calls = scenarios.flatMap((scenario) =>
    callsOf(scenario, documents, overrides[scenario.name], faults),
  );
  const groups = new Map(calls.map(({ group }) => [group, []]));
  for (const call of calls) groups.get(call.group).push(call);
  await inParallel([...groups.values()], width, (group) => playGroup(group, spector, faults));
  return faults;
}

function callsOf({ name, spec, requests }, documents, override = {}, faults) {
  const targets = documents.filter((one) => one.spec === spec).flatMap((one) => targetsOf(one, one.bindings));
  return requests.flatMap((request) => {
    const match = matchRequest(request, targets);
    if (match === undefined) {
      faults.get(name).push(`no operation for ${request.method} ${request.uri}`);
      return [];
    }
    const { document } = match.target;
    const env = credentials(document.bindings, override);
    const group = JSON.stringify([document.project, match.basePath, env]);
    return [{ scenario: name, request, match, env, override, group }];
  });
}

/** Credentials that the scenarios accept, unless `override` has others. */
function credentials({ upstream }, { credential, without }) {
  const token = 'https://security.microsoft.com/.default';
  const names = credentialNames(upstream).filter(
    (name) => without === undefined || !name.startsWith(without),
  );
  const valid = (name) => (name.startsWith('BEARER_TOKEN') ? token : 'valid-key');
  return Object.fromEntries(names.map((name) => [name, credential ?? valid(name)]));
}

/** One server for all calls of one document with the same base URL and credentials. */
async function playGroup(group, spector, faults) {
  const [{ match, env }] = group;
  const proxy = await startRecordingProxy(spector);
  try {
    const session = await openSession(match.target.document.project, {
      env: { ...env, API_BASE_URL: proxy.origin + match.basePath },
    });
    const schemas = new Map(session.tools.map(({ name, inputSchema }) => [name, inputSchema]));
    for (const call of group) {
      const fault = await playCall(call, session, schemas.get(call.match.target.tool), proxy);
      if (fault !== undefined) faults.get(call.scenario).push(fault);
    }
    await session.close();
  } finally {
    await proxy.close();
  }
}

async function playCall({ request, match: { target, values }, override }, session, schema, proxy) {
  const args = argumentsOf({ ...request, ...override }, target, values, schema);
  const said = await session.call(target.tool, args);
  const [first] = proxy.take();
  const given = `${target.tool} ${JSON.stringify(args).slice(0, 200)}`;
  if (first === undefined) return `${given}: nothing was sent: ${said}`;
  return first.status < 400 ? undefined : `${given}: ${first.status} ${first.answerText}`;
}
