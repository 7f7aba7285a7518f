import { defineDiagnostic } from '../define.ts';
import { quoteAsCodeSpan } from '../quoting.ts';
import { argumentDiagnostics, codeDiagnostics } from './function-code.ts';

const tagDiagnostics = {
  'no-tagged-export': defineDiagnostic<{ files: string }>({
    code: 'MCPG801',
    severity: 'error',
    message: ({ files }) => `${files} exports nothing with a tag, so the server would be empty.`,
    hint: 'Add a JSDoc comment with `@tool` before an exported function.',
  }),
  'unknown-tag': defineDiagnostic<{ tag: string; meant: string }>({
    code: 'MCPG804',
    severity: 'error',
    message: ({ tag, meant }) =>
      `The tag @${tag} does not exist.${meant === '' ? '' : ` Did you mean @${meant}?`}`,
    hint: ({ meant }) =>
      meant === '' ? 'Remove it, or see docs/typescript.md for all tags.' : `Write @${meant}.`,
  }),
  'misplaced-tag': defineDiagnostic<{ tag: string; what: string; meant: string }>({
    code: 'MCPG805',
    severity: 'error',
    message: ({ tag, what, meant }) =>
      `@${tag} does not apply to ${what}.${meant === '' ? '' : ` Did you mean @${meant}?`}`,
    hint: ({ meant }) => (meant === '' ? 'Remove it, or move it to where it applies.' : `Write @${meant}.`),
  }),
  'bad-tag': defineDiagnostic<{ tag: string; problem: string }>({
    code: 'MCPG806',
    severity: 'error',
    message: ({ tag, problem }) => `@${tag} ${problem}.`,
    hint: 'Correct the tag as in docs/typescript.md.',
  }),
  'unknown-error-class': defineDiagnostic<{ name: string; meant: string }>({
    code: 'MCPG871',
    severity: 'warning',
    message: ({ name, meant }) =>
      `@throws names the class ${name}, which this file does not have.${meant === '' ? '' : ` Did you mean ${meant}?`}`,
    hint: 'Correct the name, or import the class (`import type` is enough).',
  }),
  'tagged-not-exported': defineDiagnostic<{ tag: string; what: string; class: string }>({
    code: 'MCPG807',
    severity: 'warning',
    message: ({ tag, what }) =>
      `${what} has the tag @${tag}, but cannot be served, since it is not exported.`,
    hint: ({ class: name }) =>
      name === ''
        ? 'Export the function, or the class or object of the method.'
        : `Export an instance, such as ${quoteAsCodeSpan(`export const one = new ${name}(…)`)}, or the class: the server then makes the instance.`,
  }),
  'not-a-function': defineDiagnostic<{ name: string; tag: string }>({
    code: 'MCPG808',
    severity: 'error',
    message: ({ name, tag }) => `${name} has the tag @${tag}, but is not a function.`,
    hint: 'Tag an exported function, a constant with a function, or a method of an exported class.',
  }),
  'tagged-not-served': defineDiagnostic<{ tag: string }>({
    code: 'MCPG826',
    severity: 'warning',
    message: ({ tag }) =>
      `@${tag} has no effect here, since only exported functions and public methods of what is exported are served.`,
    hint: 'Move the tag to a function or method. Of overloads, the first that has tags is served.',
  }),
  'tag-without-item': defineDiagnostic<{ tag: string }>({
    code: 'MCPG827',
    severity: 'warning',
    message: ({ tag }) => `@${tag} has no effect, since a tag such as @tool is missing.`,
    hint: 'Add `@tool`, `@resource` or `@prompt`, or remove the tag.',
  }),
  'param-without-parameter': defineDiagnostic<{ name: string; meant: string }>({
    code: 'MCPG828',
    severity: 'warning',
    message: ({ name, meant }) =>
      `@param ${name} matches no parameter of the function and no member of one, so it is ignored.${meant === '' ? '' : ` Did you mean ${meant}?`}`,
    hint: 'Write the name of a parameter, or of its member (`query.page`), or remove the tag.',
  }),
  'member-cut-off': defineDiagnostic<{ member: string; tag: string }>({
    code: 'MCPG853',
    severity: 'error',
    message: ({ member, tag }) =>
      `TypeScript ignores the member \`${member}\`, since @${tag} before it ends the list.`,
    hint: 'Move that tag after the last member, or write the type as an interface in a TypeScript file and import it.',
  }),
  'scope-not-read': defineDiagnostic({
    code: 'MCPG854',
    severity: 'error',
    message: () => 'This @scope is not recognised here, so it protects nothing.',
    hint: 'Put it on its own line in a comment that starts with `/**`. To only mention the tag, write it in backticks.',
  }),
  'tag-in-plain-comment': defineDiagnostic<{ tag: string }>({
    code: 'MCPG856',
    severity: 'warning',
    message: ({ tag }) => `@${tag} has no effect, since only comments that start with \`/**\` are read.`,
    hint: ({ tag }) => `Write \`/** @${tag} */\`, or remove the tag.`,
  }),
  'hints-contradict': defineDiagnostic<{ tool: string; reads: string; destroys: string }>({
    code: 'MCPG857',
    severity: 'warning',
    message: ({ tool, reads, destroys }) =>
      `${tool} says that it only reads (${reads}) and that it is destructive (${destroys}). It counts as destructive: clients ask before each call, and \`--read-only\` leaves it out.`,
    hint: 'Remove one of the two, or set it to false.',
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

const wayApart = {
  tools:
    'Rename one of them after its tag or in `x-mcp`, give one of two sources a `prefix`, or put `@prefix one_` before one of two instances.',
  prompts:
    'Rename one of them after its tag or in `x-mcp-prompts`, give one of two sources a `prefix`, or put `@prefix one_` before one of two instances.',
  resources: otherUri,
  'resource templates': otherUri,
};

const nameDiagnostics = {
  'name-taken': defineDiagnostic<{ kind: keyof typeof wayApart; name: string }>({
    code: 'MCPG810',
    severity: 'error',
    message: ({ kind, name }) =>
      `Two ${kind} have the ${kind.startsWith('resource') ? 'URI' : 'name'} ${name}. Clients would see only one.`,
    hint: ({ kind }) => wayApart[kind],
  }),
  'name-cleaned': defineDiagnostic<{ from: string; to: string; why: string; fix: string }>({
    code: 'MCPG811',
    severity: 'info',
    message: ({ from, to, why }) => `${from} is called ${to}: ${why}.`,
    hint: ({ fix }) => `${fix} to choose another.`,
  }),
  'bad-resource-uri': defineDiagnostic<{ uri: string; problem: string }>({
    code: 'MCPG812',
    severity: 'error',
    message: ({ uri, problem }) => `${uri === '' ? 'A resource' : uri} is invalid: ${problem}.`,
    hint: 'Write a URI such as `weather://stations`, or a URI template such as `weather://stations/{id}`.',
  }),
  'completion-without-target': defineDiagnostic<{ target: string; meant: string }>({
    code: 'MCPG816',
    severity: 'error',
    message: ({ target, meant }) =>
      `There is no argument ${target} to complete.${meant === '' ? '' : ` Did you mean ${meant}?`}`,
    hint: 'Write `@complete prompt.argument`, or `@complete scheme://template/{variable} variable`.',
  }),
  'bad-completion': defineDiagnostic<{ name: string; problem: string }>({
    code: 'MCPG817',
    severity: 'error',
    message: ({ name, problem }) => `${name} cannot be a completion: ${problem}.`,
    hint: 'Write `(typed: string, others?: Record<string, string>) => string[]`.',
  }),
  'bad-prompt': defineDiagnostic<{ name: string; problem: string }>({
    code: 'MCPG860',
    severity: 'error',
    message: ({ name, problem }) => `${name} cannot be a prompt: ${problem}.`,
    hint: 'Return a string, a list of `{ role, content }`, or content blocks such as `{ type: "text", text }`.',
  }),
  'bytes-without-type': defineDiagnostic<{ name: string }>({
    code: 'MCPG819',
    severity: 'error',
    message: ({ name }) => `${name} returns bytes without a media type.`,
    hint: 'Add its type, such as `@mimeType image/png`.',
  }),
  'resource-without-contents': defineDiagnostic<{ name: string; what: string }>({
    code: 'MCPG858',
    severity: 'error',
    message: ({ name, what }) => `${name} returns \`${what}\`, so the resource would be empty.`,
    hint: 'Return a string, bytes with `@mimeType`, or data. If the function only performs an action, make it a tool.',
  }),
  'template-taken': defineDiagnostic<{ template: string; other: string }>({
    code: 'MCPG859',
    severity: 'error',
    message: ({ template, other }) =>
      `${template} matches the same URIs as ${other}, so it would never be used.`,
    hint: otherUri,
  }),
  'helper-without-target': defineDiagnostic<{ tag: string; target: string; wanted: string; meant: string }>({
    code: 'MCPG823',
    severity: 'error',
    message: ({ tag, target, wanted, meant }) =>
      `@${tag} needs a ${wanted}, but ${target} does not exist.${meant === '' ? '' : ` Did you mean ${meant}?`}`,
    hint: 'Write the URI template exactly as after `@resource`, or the name of the tool.',
  }),
  'unfit-helper': defineDiagnostic<{ name: string; tag: string; problem: string }>({
    code: 'MCPG824',
    severity: 'error',
    message: ({ name, tag, problem }) => `${name} cannot have @${tag}: ${problem}.`,
    hint: 'Change the function as in docs/typescript.md, or remove the tag.',
  }),
};

export const functionDiagnostics = {
  ...tagDiagnostics,
  ...nameDiagnostics,
  ...argumentDiagnostics,
  ...codeDiagnostics,
};
