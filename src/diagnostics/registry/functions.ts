import { defineDiagnostic } from '../define.ts';
import { quoteAsCodeSpan } from '../quoting.ts';
import { argumentDiagnostics, codeDiagnostics } from './function-code.ts';

const tagDocs = 'The tags and where each belongs are listed in docs/typescript.md.';

const tagDiagnostics = {
  'no-tagged-export': defineDiagnostic<{ files: string }>({
    code: 'MCPG801',
    severity: 'error',
    message: ({ files }) => `${files} exports nothing with a tag, so the server would be empty.`,
    hint: 'Add a JSDoc comment with `@tool` before an exported function.',
    docs: {
      cause:
        'mcpgen serves exported functions, and methods of exported classes, with the tag `@tool`, `@resource`, `@prompt` or `@complete`. There are none.',
      fix: 'Tag and export your functions.',
      example:
        '/** Adds two numbers. @tool */\nexport function add(a: number, b: number): number {\n  return a + b;\n}',
    },
  }),
  'unknown-tag': defineDiagnostic<{ tag: string; meant: string }>({
    code: 'MCPG804',
    severity: 'error',
    message: ({ tag, meant }) =>
      `The tag @${tag} does not exist.${meant === '' ? '' : ` Did you mean @${meant}?`}`,
    hint: ({ meant }) =>
      meant === '' ? 'Remove it, or see docs/typescript.md for all tags.' : `Write @${meant}.`,
    docs: {
      cause:
        'A comment with `@tool` or a similar tag has a tag that neither mcpgen nor JSDoc knows. If ignored, a misspelt tag could lose a scope of the tool, or the tool itself.',
      fix: `Correct the tag. ${tagDocs}`,
      example: '/**\n * @tool\n * @readonlyy\n */\nexport function now(): string {',
    },
  }),
  'misplaced-tag': defineDiagnostic<{ tag: string; what: string; meant: string }>({
    code: 'MCPG805',
    severity: 'error',
    message: ({ tag, what, meant }) =>
      `@${tag} does not apply to ${what}.${meant === '' ? '' : ` Did you mean @${meant}?`}`,
    hint: ({ meant }) => (meant === '' ? 'Remove it, or move it to where it applies.' : `Write @${meant}.`),
    docs: {
      cause: 'MCP has no place for this tag here: prompts have no hints, tools have no audience.',
      fix: `Move or remove the tag. ${tagDocs}`,
      example: '/**\n * @prompt\n * @readOnly\n */',
    },
  }),
  'bad-tag': defineDiagnostic<{ tag: string; problem: string }>({
    code: 'MCPG806',
    severity: 'error',
    message: ({ tag, problem }) => `@${tag} ${problem}.`,
    hint: 'Correct the tag as in docs/typescript.md.',
    docs: {
      cause: 'The value after the tag is invalid.',
      fix: `Correct the value. ${tagDocs}`,
      example: '/**\n * @resource config://app\n * @priority high\n */',
    },
  }),
  'unknown-error-class': defineDiagnostic<{ name: string; meant: string }>({
    code: 'MCPG871',
    severity: 'warning',
    message: ({ name, meant }) =>
      `@throws names the class ${name}, which this file does not have.${meant === '' ? '' : ` Did you mean ${meant}?`}`,
    hint: 'Correct the name, or import the class (`import type` is enough).',
    docs: {
      cause:
        'Callers read the message of an error of a class that `@throws` names. If the name is misspelt, they only learn that the call failed.',
      fix: 'Correct the name. If a package throws the class, import its type, or write `@throws {import("package").TheirError}`.',
      example: '/**\n * @tool\n * @throws {RequstError} if the shop is closed\n */',
    },
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
    docs: {
      cause:
        'The server can only call exports of modules. This function, or the class of this method, is not exported, and no instance of the class is.',
      fix: 'Export it, export an instance of the class (`export const notes = new Notes("data")`), or remove the tag.',
      example: '/** @tool */\nfunction add(a: number, b: number): number {',
    },
  }),
  'not-a-function': defineDiagnostic<{ name: string; tag: string }>({
    code: 'MCPG808',
    severity: 'error',
    message: ({ name, tag }) => `${name} has the tag @${tag}, but is not a function.`,
    hint: 'Tag an exported function, a constant with a function, or a method of an exported class.',
    docs: {
      cause: 'Tools, resources, prompts and completions call functions. The tagged value cannot be called.',
      fix: 'Tag a function instead, or wrap the value in one.',
      example: "/** @tool */\nexport const version = '1.0.0';",
    },
  }),
  'tagged-not-served': defineDiagnostic<{ tag: string; because: string }>({
    code: 'MCPG826',
    severity: 'warning',
    message: ({ tag, because }) => `@${tag} has no effect here: ${because}.`,
    hint: 'Move the tag to an exported function, or a public method of an exported class or object.',
    docs: {
      cause:
        'The server can only call exported functions, and methods of exported classes and objects. This comment is before something else: a type, a getter, a private method, or code in a namespace or function.',
      fix: 'Move the comment to an exported function, or remove the tag.',
      example: 'export interface Weather {\n  /** @tool */\n  forecast(city: string): string;\n}',
    },
  }),
  'tag-without-item': defineDiagnostic<{ tag: string }>({
    code: 'MCPG827',
    severity: 'warning',
    message: ({ tag }) => `@${tag} has no effect, since a tag such as @tool is missing.`,
    hint: 'Add `@tool`, `@resource` or `@prompt`, or remove the tag.',
    docs: {
      cause:
        'Hints, scopes and similar tags apply to a tool, resource or prompt. The function has no tag that makes it one, so it is not served.',
      fix: `Add the tag that is missing. ${tagDocs}`,
      example: '/**\n * Removes a pet.\n * @destructive\n */\nexport function removePet(id: number): void {',
    },
  }),
  'param-without-parameter': defineDiagnostic<{ name: string; meant: string }>({
    code: 'MCPG828',
    severity: 'warning',
    message: ({ name, meant }) =>
      `@param ${name} matches no parameter of the function and no member of one, so it is ignored.${meant === '' ? '' : ` Did you mean ${meant}?`}`,
    hint: 'Write the name of a parameter, or of its member (`query.page`), or remove the tag.',
    docs: {
      cause:
        'The text and tags after `@param` describe the argument with that name. The function has none, often because a parameter was renamed. `@param query.page` describes a member, `@param query.lines[].text` a member of list items; the type has no such member.',
      fix: 'Use the name in the function. You can also describe members in comments before them.',
      example:
        '/**\n * @tool\n * @param town The city.\n */\nexport function forecast(city: string): string {',
    },
  }),
  'member-cut-off': defineDiagnostic<{ member: string; tag: string }>({
    code: 'MCPG853',
    severity: 'error',
    message: ({ member, tag }) =>
      `TypeScript ignores the member \`${member}\`, since @${tag} before it ends the list.`,
    hint: 'Move that tag after the last member, or write the type as an interface in a TypeScript file and import it.',
    docs: {
      cause:
        'In JSDoc of JavaScript, `@property` after `@typedef` and `@param a.b` after `@param a` are members of one type. TypeScript reads them up to the first other tag, such as `@see`; constraints of members are allowed. Later members are not part of the type, so clients cannot see or send them.',
      fix: 'Move the tag after the last member, or into the text. To describe single members, write the type as an interface in a TypeScript file: `@param {import("./types.ts").Point} point`.',
      example:
        '/**\n * @typedef {object} Point\n * @property {number} lat\n * @see there\n * @property {number} lon\n */',
    },
  }),
  'scope-not-read': defineDiagnostic({
    code: 'MCPG854',
    severity: 'error',
    message: () => 'This @scope is not recognised here, so it protects nothing.',
    hint: 'Put it on its own line in a comment that starts with `/**`. To only mention the tag, write it in backticks.',
    docs: {
      cause:
        'A `@scope` is in a JSDoc comment but after an open brace or fence, or in a comment that starts with `//` or `/*`, which is ignored. Anyone could call the function.',
      fix: 'Close the brace, or put the tag on its own line in a comment that starts with `/**`.',
      example: '/** Removes { id. @tool @scope pets:write */\nexport function removePet(id: number): void {',
    },
  }),
  'tag-not-read': defineDiagnostic<{ tag: string }>({
    code: 'MCPG855',
    severity: 'warning',
    message: ({ tag }) => `This @${tag} is not recognised here, so it has no effect.`,
    hint: 'Put it on its own line. To only mention the tag, write it in backticks.',
    docs: {
      cause:
        'A `@tool`, `@resource` or `@prompt` is in a JSDoc comment, but perhaps after an open brace or fence.',
      fix: 'Close the brace, or put the tag on its own line.',
      example: '/** The pet { id. @tool */\nexport function pet(id: number): string {',
    },
  }),
  'tag-in-plain-comment': defineDiagnostic<{ tag: string }>({
    code: 'MCPG856',
    severity: 'warning',
    message: ({ tag }) => `@${tag} has no effect, since only comments that start with \`/**\` are read.`,
    hint: ({ tag }) => `Write \`/** @${tag} */\`, or remove the tag.`,
    docs: {
      cause:
        'mcpgen reads tags only in JSDoc comments. This one is directly before code that it could apply to, but its comment starts with `//` or `/*`.',
      fix: 'Start the comment with `/**` and end it with `*/`. If there is a JSDoc comment already, move the tag into it.',
      example: '// @tool\nexport function add(a: number, b: number): number {',
    },
  }),
  'hints-contradict': defineDiagnostic<{ tool: string; reads: string; destroys: string }>({
    code: 'MCPG857',
    severity: 'warning',
    message: ({ tool, reads, destroys }) =>
      `${tool} says that it only reads (${reads}) and that it is destructive (${destroys}). It counts as destructive: clients ask before each call, and \`--read-only\` leaves it out.`,
    hint: 'Remove one of the two, or set it to false.',
    docs: {
      cause:
        'In MCP, `destructiveHint` only matters if `readOnlyHint` is false. With both, clients differ in which one they use, so the tool is listed as destructive and not read-only.',
      fix: 'Keep `@readOnly` (`readOnlyHint`) if nothing is changed, otherwise `@destructive` (`destructiveHint`). One that is false contradicts nothing: `@readOnly` with `@destructive false`. A hook that makes a destructive tool read-only sets both hints.',
      example:
        '/**\n * @tool\n * @readOnly\n * @destructive\n */\nexport function removePet(id: number): void {',
    },
  }),
  'scopes-not-asked': defineDiagnostic<{ item: string; others: number }>({
    code: 'MCPG880',
    severity: 'warning',
    message: ({ item, others }) =>
      `The @scope of \`${item}\`${others === 0 ? '' : ` (and of ${others} more)`} protects nothing: this server requires no tokens, so anyone who reaches it can call everything.`,
    hint: 'Compile with `--auth oauth` (`"auth": "oauth"` in the configuration). For open access, set `--auth none`.',
    docs: {
      cause:
        'Scopes belong to tokens. A server without OAuth requires no token over HTTP, so it cannot check a `@scope`. Over stdio, its user may call everything, with or without OAuth.',
      fix: 'Compile with `--auth oauth`, and set the accepted tokens with `MCP_AUTH_ISSUER` and `MCP_AUTH_AUDIENCE`. If the scopes are for another server with the same functions, `--auth none` hides this warning.',
      example:
        '/** Removes a ticket. @tool @scope tickets:write */\nexport function removeTicket(id: number): void {',
    },
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
    docs: {
      cause: 'Names identify tools and prompts, and URIs identify resources, so each must be unique.',
      fix: 'Write another name after the tag: `@tool list_pets`. In a document, set `x-mcp.name`. Of two `sources` in the configuration, give one a `prefix` for its names and its document URIs. It does not change URIs after `@resource`: edit one of those. Two exported instances of one class need `@prefix`.',
      example:
        '/** @tool list */\nexport function listPets() {}\n/** @tool list */\nexport function listOrders() {}',
    },
  }),
  'name-cleaned': defineDiagnostic<{ from: string; to: string; why: string; fix: string }>({
    code: 'MCPG811',
    severity: 'info',
    message: ({ from, to, why }) => `${from} is called ${to}: ${why}.`,
    hint: ({ fix }) => `${fix} to choose another.`,
    docs: {
      cause:
        'MCP and clients limit the length of names and their characters to `A–Z a–z 0–9 _ - .`. mcpgen replaces other characters with `_` and shortens long names.',
      fix: 'No action is needed. To choose a name, write it after the tag, or rename the parameter or function.',
      example: '/** @tool */\nexport function größe(): number {',
    },
  }),
  'bad-resource-uri': defineDiagnostic<{ uri: string; problem: string }>({
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
  'completion-without-target': defineDiagnostic<{ target: string; meant: string }>({
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
  'bad-completion': defineDiagnostic<{ name: string; problem: string }>({
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
  'bad-prompt': defineDiagnostic<{ name: string; problem: string }>({
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
  'bytes-without-type': defineDiagnostic<{ name: string }>({
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
  'resource-without-contents': defineDiagnostic<{ name: string; what: string }>({
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
  'template-taken': defineDiagnostic<{ template: string; other: string }>({
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
  'helper-without-target': defineDiagnostic<{ tag: string; target: string; wanted: string; meant: string }>({
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
  'unfit-helper': defineDiagnostic<{ name: string; tag: string; problem: string }>({
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

export const functionDiagnostics = {
  ...tagDiagnostics,
  ...nameDiagnostics,
  ...argumentDiagnostics,
  ...codeDiagnostics,
};
