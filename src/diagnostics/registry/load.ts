import { defineDiagnostic } from '../define.ts';
import { quoteAsCodeSpan } from '../quoting.ts';
import { skillDiagnostics } from './skills.ts';
import { workflowDiagnostics } from './workflows.ts';

const fates = {
  schema: 'The schema accepts anything.',
  path: 'The operations behind it are left out.',
  parameter: 'The parameter is left out.',
  mapping: 'Its entry in the mapping is left out.',
  example: 'The example is left out.',
  other: 'Its target is left out.',
};

export type ReferenceTarget = keyof typeof fates;

/** The effect as a sentence. Placeholders of `mcpgen explain` stay as they are. */
function describeReferenceEffect(target: ReferenceTarget): string {
  const effects: Partial<Record<string, string>> = fates;
  return effects[target] ?? target;
}

/** `main:api.yaml`, as git has it; a single letter is a drive of Windows. */
const revisionAndFile = /^[^:]{2,}:[^/\\]/;

export const loadDiagnostics = {
  'source-not-found': defineDiagnostic<{ source: string }>({
    code: 'MCPG101',
    message: ({ source }) => `The file ${source} does not exist.`,
    hint: ({ source }) =>
      revisionAndFile.test(source)
        ? 'To read a file of a git revision, pipe it in: `git show <revision>:<file> | mcpgen diff - <file>`.'
        : 'Check the path, which is relative to the working folder.',
  }),
  'source-unreadable': defineDiagnostic<{ source: string; reason: string; hint?: string }>({
    code: 'MCPG103',
    message: ({ source, reason }) => `${source} cannot be read: ${reason}.`,
    hint: ({ hint = 'Name one OpenAPI document in UTF-8: a file that you may read, or an http(s) URL.' }) =>
      hint,
  }),
  'invalid-syntax': defineDiagnostic<{ source: string; format: 'JSON' | 'YAML'; problem: string }>({
    code: 'MCPG108',
    message: ({ source, format, problem }) => `${source} is not valid ${format}: ${problem}.`,
    hint: ({ format }) =>
      format === 'JSON'
        ? 'Correct the syntax here. JSON allows no comments and no trailing commas.'
        : 'Correct the syntax here.',
  }),
  'duplicate-key': defineDiagnostic<{ key: string }>({
    code: 'MCPG110',
    severity: 'warning',
    message: ({ key }) =>
      `The key ${key} occurs twice in one mapping. The last one is used, the others are lost.`,
    hint: 'Remove or rename one of them.',
  }),
  'remote-ref-refused': defineDiagnostic<{ ref: string; host: string; target: ReferenceTarget }>({
    code: 'MCPG115',
    severity: 'warning',
    message: ({ ref, host, target }) =>
      `The reference ${ref} leads to the host ${host}, which is not allowed. ${describeReferenceEffect(target)}`,
    hint: ({ host }) => `Allow it with \`--allow-remote-refs ${host}\`, or store a copy beside the document.`,
  }),
  'ref-outside-root': defineDiagnostic<{ ref: string; root: string; target: ReferenceTarget }>({
    code: 'MCPG116',
    severity: 'warning',
    message: ({ ref, root, target }) =>
      `The reference ${ref} leads to a file outside ${root}, so mcpgen does not read it. ${describeReferenceEffect(target)}`,
    hint: 'Move the file inside, or name a wider folder with `--ref-root`.',
  }),
  'dangling-ref': defineDiagnostic<{ ref: string; suggestion: string; target: ReferenceTarget }>({
    code: 'MCPG118',
    severity: 'warning',
    message: ({ ref, target }) => `The reference ${ref} leads to nothing. ${describeReferenceEffect(target)}`,
    hint: ({ suggestion }) =>
      suggestion === ''
        ? 'Correct the reference, or add what it names.'
        : `Did you mean ${quoteAsCodeSpan(suggestion)}?`,
  }),
  'circular-ref': defineDiagnostic<{ what: string; ref: string; target: ReferenceTarget }>({
    code: 'MCPG119',
    severity: 'warning',
    message: ({ what, ref, target }) =>
      `${what} is undefined: its reference ${ref} leads into a circle of references. ${describeReferenceEffect(target)}`,
    hint: 'Replace one reference in the circle with a real object.',
  }),
  'invalid-ref': defineDiagnostic<{ ref: string; reason: string; target: ReferenceTarget }>({
    code: 'MCPG120',
    severity: 'warning',
    message: ({ ref, reason, target }) =>
      `The reference ${ref} cannot be used: ${reason}. ${describeReferenceEffect(target)}`,
    hint: 'A reference is a URI, such as `#/components/schemas/Pet` or `./pet.yaml`.',
  }),
  'invalid-overlay': defineDiagnostic<
    { overlay: string; problem: string } | { target: string; misfit: string }
  >({
    code: 'MCPG125',
    message: (parameters) =>
      'target' in parameters
        ? `The action on ${quoteAsCodeSpan(parameters.target)} failed: ${parameters.misfit}.`
        : `The overlay ${parameters.overlay} cannot be used: ${parameters.problem}.`,
    hint: (parameters) =>
      'target' in parameters
        ? 'Objects merge into objects, lists and items append to lists, and scalars replace scalars. To change the type of a value, remove it in an earlier action.'
        : 'An overlay needs `overlay: 1.1.0`, `info` with `title` and `version`, and `actions`, each with a `target`.',
  }),
  'idle-overlay-action': defineDiagnostic<{ target: string; reason: string }>({
    code: 'MCPG126',
    severity: 'warning',
    message: ({ target, reason }) => `The action on ${quoteAsCodeSpan(target)} changes nothing: ${reason}.`,
    hint: 'Correct or remove the action. The document may have changed since it was written.',
  }),
  'draft-not-written': defineDiagnostic<{ file: string; problem: string; fix?: string }>({
    code: 'MCPG129',
    message: ({ file, problem }) => `${file} was not written: ${problem}.`,
    hint: ({
      fix = 'Name another place with `-o`, or overwrite it with `--force`, which keeps a copy as .orig.',
    }) => fix,
  }),
  ...skillDiagnostics,
  ...workflowDiagnostics,
};
