/** Which files the runtime of an emitted project is built into: each costs a compilation and a start some time. */
import { importedBy } from './imported-by.mjs';

/**
 * Modules that load on one occasion are one file, with all they import. Shared imports go into the first. A
 * module that nothing here imports, and that is loaded later, is a file of its own.
 */
const chunks = {
  start: ['main/run'],
  // Else they would stand where an API is called, which not every server does.
  shared: ['contract/feature', 'contract/http-syntax', 'redact'],
  // Issuers and APIs are asked with these: a server may have one of them alone.
  requests: ['contract/bindings', 'upstream/dispatcher', 'upstream/upstream-error', 'upstream/send'],
  // Patterns for validation, templates for resources: either may come first.
  plain: ['contract/patterns'],
  schema: ['schema/compile-schema', 'schema/formats', 'schema/run'],
  'answer-members': ['contract/answer-members'],
  alternatives: ['schema/alternatives'],
  patterns: ['contract/regex/linear-patterns'],
  'uri-template': ['uri-template/index'],
  proxy: ['upstream/agents'],
  settings: ['main/command-line'],
  'api-settings': ['main/api-settings'],
  calls: ['core/call-tool', 'core/resources', 'core/prompts'],
  upstream: ['core/call-api'],
  parameters: ['upstream/parameter-styles'],
  modern: ['core/modern/perform-modern', 'core/modern/listen'],
  rounds: ['core/rounds'],
  tasks: ['core/tasks/index'],
  // Before the features that need it, into whose files its parts would go.
  http: ['main/start-http'],
  'signed-sessions': ['transports/http/signed-session-store'],
  redis: ['redis/index'],
  'redis-client': ['redis/link'],
  'shared-tasks': ['redis/shared-tasks'],
  fetch: ['fetch/create-handler'],
  sse: ['transports/http/sse'],
  websocket: ['transports/websocket/websocket-transport'],
  audit: ['audit/open-audit'],
  watch: ['telemetry/watch-calls'],
  metrics: ['telemetry/metrics'],
  traces: ['telemetry/traces'],
  ask: ['core/ask-client'],
  'own-code': ['main/own-code'],
  sample: ['sample/sample-of'],
  files: ['upstream/files'],
  sequences: ['upstream/stream-answer'],
};

/**
 * Groups for the bundler. Throws when a module is not there.
 * @param {string} folder of the compiled runtime
 * @returns {{ name: string, test: (id: string) => boolean }[]}
 */
export function runtimeChunks(folder) {
  const taken = new Set();
  return Object.entries(chunks).map(([name, entries]) => {
    const own = [...importedBy(entries.map((entry) => `${folder}/${entry}.js`))].filter(
      (id) => !taken.has(id),
    );
    for (const id of own) taken.add(id);
    const ids = new Set(own);
    return { name, test: (id) => ids.has(id.replaceAll('\\', '/')) };
  });
}
