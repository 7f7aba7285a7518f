/** Edits of a person between two generations of a project. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Files of the person, and what they say. */
const own = {
  'src/handlers/stamp.ts': "export const stamp = (): string => 'ours';\n",
  'notes.md': 'Ask Jo before a release.\n',
};

/** A tool of the person's own, whatever the document has. */
export const extraTool = 'current_time_of_ours';

/** Answer of an overridden tool. */
export const ownAnswer = 'an answer of our own';

/** Hooks, an override of each of `tools`, a tool of their own, and a module beside. */
export function writeHandlers(project, tools) {
  const overrides = tools.map((name) => `    ${JSON.stringify(name)}: async () => '${ownAnswer}',\n`);
  put(project, {
    ...own,
    'src/handlers/index.ts': `import type { Tools } from '../generated/types.ts';
import type { Handlers } from '../runtime/types.ts';
import { stamp } from './stamp.ts';

export const handlers: Handlers<Tools> = {
  beforeRequest: (request) => {
    request.headers.set('x-stamp', stamp());
  },
  tools: {
${overrides.join('')}  },
  extraTools: [
    {
      name: '${extraTool}',
      description: 'The current time.',
      inputSchema: { type: 'object' },
      handler: () => new Date().toISOString(),
    },
  ],
};
`,
  });
}

/** Keys of package.json that are theirs from then on. */
const ownKeys = {
  description: 'The server of our team.',
  scripts: { lint: 'node --check dist/main.js', start: 'node dist/main.js --log-level debug' },
  dependencies: { 'our-library': '^1.0.0' },
  repository: 'github:our-team/our-server',
};

/** `manifest`: as it was generated; returns the same with what the person has set. */
export function withOwnKeys({ scripts, dependencies, ...manifest }) {
  return {
    ...manifest,
    ...ownKeys,
    scripts: { ...scripts, ...ownKeys.scripts },
    dependencies: { ...dependencies, ...ownKeys.dependencies },
  };
}

/** Generated files that get a few lines more, where nothing else changes; and where to look for them afterwards. */
export const edits = {
  'README.md': { before: '## Connect a client\n', line: 'Ask Jo for credentials.\n\n' },
  'src/server.ts': { before: '  handlers,\n', line: '  // Handlers are reviewed by Jo.\n' },
};

export function editManifest(project) {
  const manifest = withOwnKeys(JSON.parse(read(project, 'package.json')));
  put(project, { 'package.json': `${JSON.stringify(manifest, null, 2)}\n` });
}

export function editGenerated(project) {
  for (const [file, { before, line }] of Object.entries(edits))
    replace(project, file, before, `${line}${before}`);
}

export function useDocument(project, from, to) {
  replace(project, 'mcpgen.config.json', from, to);
}

export function read(project, file) {
  return readFileSync(path.join(project, file), 'utf8');
}

function replace(project, file, from, to) {
  const text = read(project, file);
  if (!text.includes(from)) throw new Error(`${file} does not say ${JSON.stringify(from)}.`);
  put(project, { [file]: text.replace(from, to) });
}

function put(project, files) {
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(project, file), text);
}
