/** MCPG8xx: names and URIs of served items, and the helpers that refer to them. */
import { define } from '../../define.ts';
import { tagDocs } from './tag-docs.ts';

const otherUri =
  'Change the URI after one `@resource`. For a document, a `prefix` of its source changes the scheme of its URIs.';

/** Hints for two items that clients could not distinguish, by their kind. */
const wayApart = {
  tools: 'Rename one of them after its tag or in `x-mcp`, or give one of two sources a `prefix`.',
  prompts: 'Rename one of them after its tag or in `x-mcp-prompts`, or give one of two sources a `prefix`.',
  resources: otherUri,
  'resource templates': otherUri,
};

export const nameDiagnostics = {
  'name-taken': define<{ kind: keyof typeof wayApart; name: string }>({
    code: 'MCPG810',
    severity: 'error',
    message: ({ kind, name }) =>
      `Two ${kind} have the ${kind.startsWith('resource') ? 'URI' : 'name'} ${name}. Clients would see only one.`,
    hint: ({ kind }) => wayApart[kind],
    docs: {
      cause: 'Names identify tools and prompts, and URIs identify resources, so each must be unique.',
      fix: 'Write another name after the tag: `@tool list_pets`. In a document, set `x-mcp.name`. Of two `sources` in the configuration, give one a `prefix` for its names and its document URIs. It does not change URIs after `@resource`: edit one of those.',
      example:
        '/** @tool list */\nexport function listPets() {}\n/** @tool list */\nexport function listOrders() {}',
    },
  }),
  'name-cleaned': define<{ from: string; to: string; why: string; way: string }>({
    code: 'MCPG811',
    severity: 'info',
    message: ({ from, to, why }) => `${from} is called ${to}: ${why}.`,
    hint: ({ way }) => `${way} to choose another.`,
    docs: {
      cause:
        'MCP and clients limit the length of names and their characters to `A–Z a–z 0–9 _ - .`. mcpgen replaces other characters with `_` and shortens long names.',
      fix: 'No action is needed. To choose a name, write it after the tag, or rename the parameter or function.',
      example: '/** @tool */\nexport function größe(): number {',
    },
  }),
  'bad-resource-uri': define<{ uri: string; problem: string }>({
    code: 'MCPG812',
    severity: 'error',
    message: ({ uri, problem }) => `${uri === '' ? 'A resource' : uri} is invalid: ${problem}.`,
    hint: 'Write a URI such as `weather://stations`, or a URI template such as `weather://stations/{id}`.',
    docs: {
      cause: 'The text after `@resource` is neither a URI (RFC 3986) nor a URI template (RFC 6570).',
      fix: 'Start with a scheme, and close each brace.',
      example: '/** @resource stations/{id} */',
    },
  }),
  'completion-without-target': define<{ target: string; meant: string }>({
    code: 'MCPG816',
    severity: 'error',
    message: ({ target, meant }) =>
      `There is no argument ${target} to complete.${meant === '' ? '' : ` Did you mean ${meant}?`}`,
    hint: 'Write `@complete prompt.argument`, or `@complete scheme://template/{variable} variable`.',
    docs: {
      cause:
        'A completion offers values for an argument of a prompt or a variable of a resource template, but this one matches neither.',
      fix: 'Write the name of the prompt or resource template, a dot and the argument.',
      example: '/** @complete plan_trip.town */\nexport function cities(typed: string): string[] {',
    },
  }),
  'bad-completion': define<{ name: string; problem: string }>({
    code: 'MCPG817',
    severity: 'error',
    message: ({ name, problem }) => `${name} cannot be a completion: ${problem}.`,
    hint: 'Write `(typed: string, others?: Record<string, string>) => string[]`.',
    docs: {
      cause:
        'The server calls a completion with the typed text and optionally the arguments so far, and expects a list of strings.',
      fix: 'Write `(typed: string, others?: Record<string, string>, context?: Context) => string[]`, or return a promise of it.',
      example: '/** @complete plan_trip.city */\nexport function cities(limit: number): string[] {',
    },
  }),
  'bad-prompt': define<{ name: string; problem: string }>({
    code: 'MCPG860',
    severity: 'error',
    message: ({ name, problem }) => `${name} cannot be a prompt: ${problem}.`,
    hint: 'Return a string, a list of `{ role, content }`, or content blocks such as `{ type: "text", text }`.',
    docs: {
      cause:
        'A prompt is a string, messages with a `role` and one content block as `content`, or content blocks, which become user messages. This function returns something else, so each use would fail.',
      fix: 'Return one of these, or a promise of one. To return a list of strings, join it (`lines.join("\\n")`). For data, make a tool or a resource.',
      example: '/** @prompt */\nexport function topics(): string[] {',
    },
  }),
  'bytes-without-type': define<{ name: string }>({
    code: 'MCPG819',
    severity: 'error',
    message: ({ name }) => `${name} returns bytes without a media type.`,
    hint: 'Add its type, such as `@mimeType image/png`.',
    docs: {
      cause: 'The server lists and sends bytes of a resource with their media type.',
      fix: 'Add `@mimeType` to the comment.',
      example: '/** @resource logo://main */\nexport function logo(): Uint8Array {',
    },
  }),
  'resource-without-contents': define<{ name: string; what: string }>({
    code: 'MCPG858',
    severity: 'error',
    message: ({ name, what }) => `${name} returns \`${what}\`, so the resource would be empty.`,
    hint: 'Return a string, bytes with `@mimeType`, or data. If the function only performs an action, make it a tool.',
    docs: {
      cause:
        'Clients read a resource for its contents, but the function returns none: `void`, `undefined` or `null`.',
      fix: 'Return the contents, or make the function a tool.',
      example: '/** @resource stations://all */\nexport function stations(): void {',
    },
  }),
  'template-taken': define<{ template: string; other: string }>({
    code: 'MCPG859',
    severity: 'error',
    message: ({ template, other }) =>
      `${template} matches the same URIs as ${other}, so it would never be used.`,
    hint: otherUri,
    docs: {
      cause:
        'A URI does not contain variable names. If two templates match the same URIs, the first always handles them.',
      fix: 'Change the path of one: `orders://by-name/{name}`. A `prefix` in `sources` changes the URIs of a document.',
      example:
        '/** @resource orders://{id} */\nexport function byId(id: string) {}\n/** @resource orders://{name} */\nexport function byName(name: string) {}',
    },
  }),
  'helper-without-target': define<{ tag: string; target: string; wanted: string; meant: string }>({
    code: 'MCPG823',
    severity: 'error',
    message: ({ tag, target, wanted, meant }) =>
      `@${tag} needs a ${wanted}, but ${target} does not exist.${meant === '' ? '' : ` Did you mean ${meant}?`}`,
    hint: 'Write the URI template exactly as after `@resource`, or the name of the tool.',
    docs: {
      cause:
        'A function with `@list` lists resources of one template, and one with `@prepare` asks for missing arguments of one tool. The named one does not exist.',
      fix: 'Write the URI template exactly as after `@resource`, or the name of the tool.',
      example: '/** @list weather://station/{id} */\nexport function stations(): string[] {',
    },
  }),
  'unfit-helper': define<{ name: string; tag: string; problem: string }>({
    code: 'MCPG824',
    severity: 'error',
    message: ({ name, tag, problem }) => `${name} cannot have @${tag}: ${problem}.`,
    hint: 'Change the function as in docs/typescript.md, or remove the tag.',
    docs: {
      cause:
        '`@list` needs a list of URIs, or of objects with `uri` or `variables`; `@prepare` needs arguments of a tool that may be a task; `@started` needs a function that takes the running server. This function does not match.',
      fix: `Change its parameters or its result. ${tagDocs}`,
      example: '/** @list weather://stations/{id} */\nexport function stations(limit: number): number {',
    },
  }),
};
