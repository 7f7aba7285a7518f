/** MCPG8xx: names and URIs of what is served, and the helpers that refer to them. */
import { define } from '../../define.ts';
import { tagDocs } from './tag-docs.ts';

const otherUri =
  'Write another URI behind one `@resource`. A document whose source has a `prefix` has it in the scheme of its URIs.';

/** How two items that clients could not tell apart get names of their own, by what they are. */
const wayApart = {
  tools: 'Give one of them another name, behind its tag or in `x-mcp`; of two sources, give one a `prefix`.',
  prompts:
    'Give one of them another name, behind its tag or in `x-mcp-prompts`; of two sources, give one a `prefix`.',
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
      cause: 'Clients know tools and prompts by their names, resources by their URIs. Each must stand once.',
      fix: 'Write another name behind the tag: `@tool list_pets`. In a document, set `x-mcp.name`. Of two entries of `sources` in the configuration, one may have a `prefix`, with which its names begin, and the URIs of a document. URIs behind `@resource` stay as they are written: change one.',
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
        'MCP and the clients limit names to `A–Z a–z 0–9 _ - .` and to a length. Other characters became `_`, and what was too long was shortened.',
      fix: 'Nothing needs to be done. For another name write it behind the tag, or rename the parameter or the function.',
      example: '/** @tool */\nexport function größe(): number {',
    },
  }),
  'bad-resource-uri': define<{ uri: string; problem: string }>({
    code: 'MCPG812',
    severity: 'error',
    message: ({ uri, problem }) => `${uri === '' ? 'A resource' : uri} can't be read: ${problem}.`,
    hint: 'Write a URI such as `weather://stations`, or a URI template such as `weather://stations/{id}`.',
    docs: {
      cause: 'What stands behind `@resource` is neither a URI (RFC 3986) nor a URI template (RFC 6570).',
      fix: 'Begin with a scheme, and close each brace.',
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
        'A completion offers values for one argument of a prompt or one variable of a resource template. It names neither.',
      fix: 'Write the name of the prompt or resource template, a dot, and the argument.',
      example: '/** @complete plan_trip.town */\nexport function cities(typed: string): string[] {',
    },
  }),
  'bad-completion': define<{ name: string; problem: string }>({
    code: 'MCPG817',
    severity: 'error',
    message: ({ name, problem }) => `${name} can't complete anything: ${problem}.`,
    hint: 'Write `(typed: string, others?: Record<string, string>) => string[]`.',
    docs: {
      cause:
        'A completion is called with what has been typed and, if it wants them, the arguments already filled in, and answers with a list of strings.',
      fix: 'Write `(typed: string, others?: Record<string, string>, context?: Context) => string[]`, or one that promises it.',
      example: '/** @complete plan_trip.city */\nexport function cities(limit: number): string[] {',
    },
  }),
  'bad-prompt': define<{ name: string; problem: string }>({
    code: 'MCPG860',
    severity: 'error',
    message: ({ name, problem }) => `${name} can't be a prompt: ${problem}.`,
    hint: 'Return a text, a list of `{ role, content }`, or content blocks such as `{ type: "text", text }`.',
    docs: {
      cause:
        'A prompt is what a client hands to a model: one text, messages with a `role` and one content block as `content`, or content blocks, which are messages of the user. What this function returns is none of these, so each use of the prompt would fail.',
      fix: 'Return one of these, or one that is promised; a list of texts is joined to one text (`lines.join("\\n")`). What is data is a tool or a resource.',
      example: '/** @prompt */\nexport function topics(): string[] {',
    },
  }),
  'bytes-without-type': define<{ name: string }>({
    code: 'MCPG819',
    severity: 'error',
    message: ({ name }) => `${name} reads bytes, but nothing says of which media type.`,
    hint: 'Add `@mimeType image/png`, or the type that it is.',
    docs: {
      cause: 'Bytes of a resource are listed and sent with their media type.',
      fix: 'Add `@mimeType` to the block.',
      example: '/** @resource logo://main */\nexport function logo(): Uint8Array {',
    },
  }),
  'resource-without-contents': define<{ name: string; what: string }>({
    code: 'MCPG858',
    severity: 'error',
    message: ({ name, what }) => `${name} returns \`${what}\`, so as a resource it would have no contents.`,
    hint: 'Return a text, bytes with `@mimeType`, or data. What does something and answers nothing is a tool.',
    docs: {
      cause:
        'Clients read a resource for its contents. The function returns nothing that could be these: `void`, `undefined`, `null`, or nothing at all.',
      fix: 'Return what is to be read, or make the function a tool.',
      example: '/** @resource stations://all */\nexport function stations(): void {',
    },
  }),
  'template-taken': define<{ template: string; other: string }>({
    code: 'MCPG859',
    severity: 'error',
    message: ({ template, other }) =>
      `${template} reads the same URIs as ${other}, so it would never be asked for one.`,
    hint: otherUri,
    docs: {
      cause:
        'A client reads a URI, and nothing of it says the name of a variable. Of two templates that read the same URIs the first always answers, and the second never does.',
      fix: 'Give one of them a path of its own: `orders://by-name/{name}`. Of two entries of `sources`, a `prefix` is put before the URIs of a document.',
      example:
        '/** @resource orders://{id} */\nexport function byId(id: string) {}\n/** @resource orders://{name} */\nexport function byName(name: string) {}',
    },
  }),
  'helper-without-target': define<{ tag: string; target: string; wanted: string; meant: string }>({
    code: 'MCPG823',
    severity: 'error',
    message: ({ tag, target, wanted, meant }) =>
      `There is no ${wanted} ${target} for @${tag}.${meant === '' ? '' : ` Did you mean ${meant}?`}`,
    hint: 'Write the URI template as it stands behind `@resource`, or the name of the tool.',
    docs: {
      cause:
        'A function with `@list` lists the resources of one template, and one with `@prepare` asks for what one tool must know first. It names none that is there.',
      fix: 'Write the URI template as it stands behind `@resource`, or the name of the tool.',
      example: '/** @list weather://station/{id} */\nexport function stations(): string[] {',
    },
  }),
  'unfit-helper': define<{ name: string; tag: string; problem: string }>({
    code: 'MCPG824',
    severity: 'error',
    message: ({ name, tag, problem }) => `${name} can't have @${tag}: ${problem}.`,
    hint: 'Change the function as docs/typescript.md shows it, or take the tag away.',
    docs: {
      cause:
        '`@list` is for functions that return a list of URIs, or of objects with `uri` or `variables`; `@prepare` for those that return arguments of a tool that may be a task; `@started` for those that take the running server. This one is called in another way.',
      fix: `Change what it takes or returns. ${tagDocs}`,
      example: '/** @list weather://stations/{id} */\nexport function stations(limit: number): number {',
    },
  }),
};
