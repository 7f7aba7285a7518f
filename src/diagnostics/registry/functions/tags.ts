/** MCPG8xx: tags, and what they stand on. */
import { define } from '../../define.ts';
import { tagDocs } from './tag-docs.ts';

export const tagDiagnostics = {
  'no-tagged-export': define<{ files: string }>({
    code: 'MCPG801',
    severity: 'error',
    message: ({ files }) => `Nothing that ${files} exports is tagged, so there would be nothing to serve.`,
    hint: 'Put a JSDoc block with `@tool` before an exported function.',
    docs: {
      cause:
        'Only exported functions, and methods of exported classes, with one of the tags `@tool`, `@resource`, `@prompt` and `@complete` are taken. There is none.',
      fix: 'Tag what is to be served, and export it.',
      example:
        '/** Adds two numbers. @tool */\nexport function add(a: number, b: number): number {\n  return a + b;\n}',
    },
  }),
  'unknown-tag': define<{ tag: string; meant: string }>({
    code: 'MCPG804',
    severity: 'error',
    message: ({ tag, meant }) =>
      `There is no tag @${tag}, so it would do nothing.${meant === '' ? '' : ` Did you mean @${meant}?`}`,
    hint: ({ meant }) =>
      meant === '' ? 'Take it out, or see docs/typescript.md for the tags there are.' : `Write @${meant}.`,
    docs: {
      cause:
        'A block that makes something to serve has a tag that neither mcpgen nor JSDoc knows. A misspelt tag would be left out in silence: a tool would lose its scope, or would not be listed at all.',
      fix: `Correct the tag. ${tagDocs}`,
      example: '/**\n * @tool\n * @readonlyy\n */\nexport function now(): string {',
    },
  }),
  'misplaced-tag': define<{ tag: string; what: string; meant: string }>({
    code: 'MCPG805',
    severity: 'error',
    message: ({ tag, what, meant }) =>
      `@${tag} says nothing about ${what}.${meant === '' ? '' : ` Did you mean @${meant}?`}`,
    hint: ({ meant }) => (meant === '' ? 'Take it out, or put it where it belongs.' : `Write @${meant}.`),
    docs: {
      cause:
        'A tag stands where MCP has no place for what it says: a prompt has no hints, a tool has no audience.',
      fix: `Move or remove the tag. ${tagDocs}`,
      example: '/**\n * @prompt\n * @readOnly\n */',
    },
  }),
  'bad-tag': define<{ tag: string; problem: string }>({
    code: 'MCPG806',
    severity: 'error',
    message: ({ tag, problem }) => `@${tag} ${problem}.`,
    hint: 'Correct the tag; docs/typescript.md shows each.',
    docs: {
      cause: 'What stands behind a tag is not what the tag needs.',
      fix: `Correct the value. ${tagDocs}`,
      example: '/**\n * @resource config://app\n * @priority high\n */',
    },
  }),
  'tagged-not-exported': define<{ tag: string; what: string }>({
    code: 'MCPG807',
    severity: 'warning',
    message: ({ tag, what }) => `${what} is tagged @${tag}, but can't be served: it is not exported.`,
    hint: 'Export the function, or the class or object that has the method.',
    docs: {
      cause:
        'The server calls what modules export. A function that is not exported, or a method of a class that is not exported, is out of reach.',
      fix: 'Export it, or take the tag away.',
      example: '/** @tool */\nfunction add(a: number, b: number): number {',
    },
  }),
  'not-a-function': define<{ name: string; tag: string }>({
    code: 'MCPG808',
    severity: 'error',
    message: ({ name, tag }) => `${name} is tagged @${tag}, but is no function.`,
    hint: 'Tag an exported function, a constant that holds one, or a method of an exported class.',
    docs: {
      cause:
        'Tools, resources, prompts and completions are calls of functions. What is tagged can not be called.',
      fix: 'Tag a function instead, or wrap the value in one.',
      example: "/** @tool */\nexport const version = '1.0.0';",
    },
  }),
  'tagged-not-served': define<{ tag: string; because: string }>({
    code: 'MCPG826',
    severity: 'warning',
    message: ({ tag, because }) => `@${tag} makes nothing here: ${because}.`,
    hint: 'Put the tag before an exported function, or a public method of an exported class or object.',
    docs: {
      cause:
        'Only functions that a module exports, and methods of classes and objects that it exports, can be called. What this block stands before is something else: a type, a getter, a private method, what stands in a namespace or inside of a function.',
      fix: 'Move the block before an exported function that does the work, or take the tag away.',
      example: 'export interface Weather {\n  /** @tool */\n  forecast(city: string): string;\n}',
    },
  }),
  'tag-without-item': define<{ tag: string }>({
    code: 'MCPG827',
    severity: 'warning',
    message: ({ tag }) =>
      `@${tag} says something about what is served, but nothing is made of this: a tag such as @tool is missing.`,
    hint: 'Add `@tool`, `@resource` or `@prompt`, or take the tag away.',
    docs: {
      cause:
        'Hints, scopes and the like belong to a tool, a resource or a prompt. The function has none of the tags that make one, so it is not served, and this tag says nothing.',
      fix: `Add the tag that is missing. ${tagDocs}`,
      example: '/**\n * Removes a pet.\n * @destructive\n */\nexport function removePet(id: number): void {',
    },
  }),
  'param-without-parameter': define<{ name: string; meant: string }>({
    code: 'MCPG828',
    severity: 'warning',
    message: ({ name, meant }) =>
      `@param ${name} names no parameter of the function, and no member of one, so what it says is lost.${meant === '' ? '' : ` Did you mean ${meant}?`}`,
    hint: 'Write the name of a parameter, or of a member behind it (`query.page`), or take the tag away.',
    docs: {
      cause:
        'The words and tags behind `@param` describe the argument of that name. The function has none, often since a parameter was renamed. `@param query.page` describes a member, `@param query.lines[].text` one of the items of a list, and the type has no such member.',
      fix: 'Write the name as the function has it. Members may be described in blocks before them too.',
      example:
        '/**\n * @tool\n * @param town The city.\n */\nexport function forecast(city: string): string {',
    },
  }),
  'member-cut-off': define<{ member: string; tag: string }>({
    code: 'MCPG853',
    severity: 'error',
    message: ({ member, tag }) =>
      `\`${member}\` is no member for TypeScript: @${tag} before it ends the list.`,
    hint: 'Put that tag behind the last member, or write the type as an interface in a TypeScript file and import it.',
    docs: {
      cause:
        'In JSDoc of JavaScript, `@property` behind `@typedef` and `@param a.b` behind `@param a` are members of one type. TypeScript reads them up to the first tag that is none of these, such as `@see`. Constraints of a member end nothing, on its line or on lines of their own. What follows is not in the type, so no client is told of it, or can give it.',
      fix: 'Put the tag behind the last member, or into the words. To say it of each member, write the type as an interface in a TypeScript file: `@param {import("./types.ts").Point} point`.',
      example:
        '/**\n * @typedef {object} Point\n * @property {number} lat\n * @see there\n * @property {number} lon\n */',
    },
  }),
  'scope-not-read': define({
    code: 'MCPG854',
    severity: 'error',
    message: () => 'This @scope is not read where it stands, so it would protect nothing.',
    hint: 'Put it on a line of its own, in a comment that begins with `/**`. To speak of the tag, write it between backticks.',
    docs: {
      cause:
        'A `@scope` stands in a block, but not where a tag counts: a brace or a fence before it may be open. Or it stands in a comment that begins with `//` or `/*`, which nobody reads. Everybody could call what it is to protect.',
      fix: 'Close the brace, or put the tag on a line of its own, in a comment that begins with `/**`.',
      example: '/** Removes { id. @tool @scope pets:write */\nexport function removePet(id: number): void {',
    },
  }),
  'tag-not-read': define<{ tag: string }>({
    code: 'MCPG855',
    severity: 'warning',
    message: ({ tag }) => `This @${tag} is not read where it stands, so it makes nothing.`,
    hint: 'Put it on a line of its own. To speak of the tag, write it between backticks.',
    docs: {
      cause:
        'A `@tool`, `@resource` or `@prompt` stands in a block, but not where a tag counts: a brace or a fence before it may be open.',
      fix: 'Close the brace, or put the tag on a line of its own.',
      example: '/** The pet { id. @tool */\nexport function pet(id: number): string {',
    },
  }),
  'tag-in-plain-comment': define<{ tag: string }>({
    code: 'MCPG856',
    severity: 'warning',
    message: ({ tag }) =>
      `@${tag} stands in a comment that nobody reads, so it does nothing: only comments that begin with \`/**\` count.`,
    hint: ({ tag }) => `Write \`/** @${tag} */\`, or take the tag away.`,
    docs: {
      cause:
        'Tags are read in JSDoc blocks alone. This one stands directly before something that it could be for, in a comment that begins with `//` or `/*`.',
      fix: 'Begin the comment with `/**`, and end it with `*/`. Where a block stands there already, put the tag into it.',
      example: '// @tool\nexport function add(a: number, b: number): number {',
    },
  }),
  'hints-contradict': define({
    code: 'MCPG857',
    severity: 'warning',
    message: () =>
      'The tool is said to change nothing (@readOnly) and to remove things (@destructive). Clients may call it without asking, or not at all.',
    hint: 'Take one of the two tags away.',
    docs: {
      cause:
        'MCP gives `destructiveHint` a meaning only where `readOnlyHint` is false. Of a tool with both, some clients take one to count, some the other.',
      fix: 'Keep `@readOnly` where the function changes nothing, else `@destructive`. `@readOnly` with `@destructive false` is no contradiction.',
      example:
        '/**\n * @tool\n * @readOnly\n * @destructive\n */\nexport function removePet(id: number): void {',
    },
  }),
  'scopes-not-asked': define<{ item: string; others: number }>({
    code: 'MCPG880',
    severity: 'warning',
    message: ({ item, others }) =>
      `The @scope of \`${item}\`${others === 0 ? '' : ` (and of ${others} more)`} protects nothing: this server asks nobody for a token, so whoever reaches it can call what it serves.`,
    hint: 'Compile with `--auth oauth` (`"auth": "oauth"` in the configuration). Where everybody is meant, say `--auth none`.',
    docs: {
      cause:
        'Scopes are those of a token. A server that was compiled without OAuth asks callers over HTTP for none, and has nothing to hold a `@scope` against. Over stdio whoever started the server calls it, with OAuth or without.',
      fix: 'Compile with `--auth oauth`, and say by `MCP_AUTH_ISSUER` and `MCP_AUTH_AUDIENCE` whose tokens count. `--auth none` says that the scopes are for another server of the same functions, and ends the warning.',
      example:
        '/** Removes a ticket. @tool @scope tickets:write */\nexport function removeTicket(id: number): void {',
    },
  }),
};
