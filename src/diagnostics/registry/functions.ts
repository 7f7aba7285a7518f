import { defineDiagnostic } from '../define.ts';
import { argumentDiagnostics, codeDiagnostics } from './function-code.ts';

const tagDiagnostics = {
  'no-tagged-export': defineDiagnostic<{ files: string }>({
    code: 'MCPG801',
    message: ({ files }) => `${files} exports nothing with a tag, so the server would be empty.`,
    hint: 'Add a JSDoc comment with `@tool` before an exported function.',
  }),
  'unknown-tag': defineDiagnostic<{ tag: string; suggestion: string }>({
    code: 'MCPG804',
    message: ({ tag, suggestion }) =>
      `The tag @${tag} does not exist.${suggestion === '' ? '' : ` Did you mean @${suggestion}?`}`,
    hint: ({ suggestion }) =>
      suggestion === ''
        ? 'Remove it, or see docs/reference/functions.md for all tags.'
        : `Write @${suggestion}.`,
  }),
  'misplaced-tag': defineDiagnostic<{ tag: string; what: string; suggestion: string }>({
    code: 'MCPG805',
    message: ({ tag, what, suggestion }) =>
      `@${tag} does not apply to ${what}.${suggestion === '' ? '' : ` Did you mean @${suggestion}?`}`,
    hint: ({ suggestion }) =>
      suggestion === '' ? 'Remove it, or move it to where it applies.' : `Write @${suggestion}.`,
  }),
  'param-without-parameter': defineDiagnostic<{ name: string; suggestion: string }>({
    code: 'MCPG828',
    severity: 'warning',
    message: ({ name, suggestion }) =>
      `@param ${name} matches no parameter of the function and no member of one, so it is ignored.${suggestion === '' ? '' : ` Did you mean ${suggestion}?`}`,
    hint: 'Write the name of a parameter, or of its member (`query.page`), or remove the tag.',
  }),
  'hints-contradict': defineDiagnostic<{ tool: string; reads: string; destroys: string }>({
    code: 'MCPG857',
    severity: 'warning',
    message: ({ tool, reads, destroys }) =>
      `${tool} says that it only reads (${reads}) and that it is destructive (${destroys}). It counts as destructive: clients ask before each call, and \`--read-only\` leaves it out.`,
    hint: 'Remove one of the two, or set it to false.',
  }),
  'data-like-content': defineDiagnostic<{ name: string; type: string }>({
    code: 'MCPG840',
    severity: 'warning',
    message: ({ name, type }) =>
      `${name} returns ${type}, which looks like a content block of MCP. It is sent as data, with an output schema.`,
    hint: 'Add `@content` to the function if it is content, or `@content false` if it is data.',
  }),
  'scopes-not-asked': defineDiagnostic<{ item: string; others: number }>({
    code: 'MCPG880',
    severity: 'warning',
    message: ({ item, others }) =>
      `The @scope of \`${item}\`${others === 0 ? '' : ` (and of ${others} more)`} protects nothing: this server requires no tokens, so anyone who reaches it can call everything.`,
    hint: 'Compile with `--auth oauth` (`"auth": "oauth"` in the configuration). For open access, set `--auth none`.',
  }),
};

const otherUri =
  'Change the URI after one `@resource`. For a document, a `prefix` of its source changes the scheme of its URIs.';

/** What to write instead, by tag. */
const fitting = new Map([
  ['complete', 'Write `(typed: string, others?: Record<string, string>) => string[]`.'],
  [
    'prompt',
    'Return a string, a list of `{ role, content }`, or content blocks such as `{ type: "text", text }`.',
  ],
  [
    'resource',
    'Return a string, bytes with their type, such as `@mimeType image/png`, or data. If the function only performs an action, make it a tool.',
  ],
]);

const wayApart = {
  tools:
    'Rename one of them after its tag or in `x-mcp`, give one of two sources a `prefix`, or put `@prefix one_` before one of two instances.',
  prompts:
    'Rename one of them after its tag or in `x-mcp-prompts`, give one of two sources a `prefix`, or put `@prefix one_` before one of two instances.',
  resources: otherUri,
  'resource templates': otherUri,
};

const nameDiagnostics = {
  'name-taken': defineDiagnostic<
    { kind: keyof typeof wayApart; name: string } | { template: string; other: string } | { reserved: string }
  >({
    code: 'MCPG810',
    message: (parameters) => {
      if ('reserved' in parameters)
        return `\`${parameters.reserved}\` is the name of a tool that searches or calls others.`;
      if ('template' in parameters)
        return `${parameters.template} matches the same URIs as ${parameters.other}, so it would never be used.`;
      const { kind, name } = parameters;
      return `Two ${kind} have the ${kind.startsWith('resource') ? 'URI' : 'name'} ${name}. Clients would see only one.`;
    },
    hint: (parameters) => {
      if ('reserved' in parameters) return 'Give the function another name, such as `@tool find_my_tools`.';
      return 'template' in parameters ? otherUri : wayApart[parameters.kind];
    },
  }),
  'name-cleaned': defineDiagnostic<{ from: string; to: string; why: string; fix: string }>({
    code: 'MCPG811',
    severity: 'info',
    message: ({ from, to, why }) => `${from} is called ${to}: ${why}.`,
    hint: ({ fix }) => `${fix} to choose another.`,
  }),
  'bad-resource-uri': defineDiagnostic<{ uri: string; problem: string; fix?: string }>({
    code: 'MCPG812',
    message: ({ uri, problem }) => `${uri === '' ? 'A resource' : uri} is invalid: ${problem}.`,
    hint: ({
      fix = 'Write a URI such as `weather://stations`, or a URI template such as `weather://stations/{id}`.',
    }) => fix,
  }),
  'helper-without-target': defineDiagnostic<{
    tag: string;
    target: string;
    wanted: string;
    suggestion: string;
  }>({
    code: 'MCPG823',
    message: ({ tag, target, wanted, suggestion }) =>
      `@${tag} needs ${wanted}, but ${target} does not exist.${suggestion === '' ? '' : ` Did you mean ${suggestion}?`}`,
    hint: ({ tag }) =>
      tag === 'complete'
        ? 'Write `@complete prompt.argument`, or `@complete scheme://template/{variable} variable`.'
        : 'Write the URI template exactly as after `@resource`, or the name of the tool.',
  }),
  'unfit-function': defineDiagnostic<{ name: string; tag: string; problem: string }>({
    code: 'MCPG824',
    message: ({ name, tag, problem }) => `${name} cannot have @${tag}: ${problem}.`,
    hint: ({ tag }) =>
      fitting.get(tag) ?? 'Change the function as in docs/reference/functions.md, or remove the tag.',
  }),
};

export const functionDiagnostics = {
  ...tagDiagnostics,
  ...nameDiagnostics,
  ...argumentDiagnostics,
  ...codeDiagnostics,
};
