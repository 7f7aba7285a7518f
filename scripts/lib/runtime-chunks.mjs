/** Which files the runtime of an emitted project is built into: each costs a compilation and a start some time. */
import { importedBy } from './imported-by.mjs';

/**
 * What loads on one occasion is one file, with all that it imports. What several import stands in the first of them. A
 * module that nothing here imports, and that is loaded later, is a file of its own.
 */
const chunks = {
  start: ['main/run'],
  schema: ['schema/index', 'schema/formats', 'schema/matches-pattern'],
  'uri-template': ['uri-template/index'],
  settings: [
    'main/missing',
    'main/help',
    'main/flags',
    'main/selection',
    'main/pass-headers',
    'main/audit-settings',
  ],
  calls: [
    'core/tools/call-tool',
    'core/resources/list-resources',
    'core/resources/read-resource',
    'core/resources/subscribe',
    'core/prompts/get-prompt',
    'core/completion/complete',
    'core/cursor',
    'core/batch',
  ],
  upstream: ['upstream/index'],
  tasks: [
    'core/tasks/methods',
    'core/tasks/start-task',
    'core/tasks/task-result',
    'core/tasks/task-support',
    'core/tasks/task-views',
  ],
  modern: ['core/modern/perform-modern', 'core/modern/discover', 'core/modern/listen'],
  http: ['main/start-http', 'main/http-settings'],
  'own-code': [
    'main/start-own-code',
    'main/check-tools',
    'main/check-resources',
    'main/check-prompts',
    'main/check-completions',
  ],
  sample: ['sample/sample-of'],
  transfers: ['upstream/stream-answer', 'upstream/save-file', 'upstream/files'],
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
