/** MCPG8xx: functions that become tools, resources, prompts and completions. */
import { codeSpan } from '../code-span.ts';
import { define } from '../define.ts';

const tagDocs = 'The tags and where each belongs are listed in docs/typescript.md.';

export const functionDiagnostics = {
  'no-source-files': define<{ pattern: string }>({
    code: 'MCPG800',
    severity: 'error',
    message: ({ pattern }) => `No TypeScript or JavaScript file matches ${pattern}.`,
    hint: 'Check the path; it is taken relative to the working folder. Quote a glob, so that the shell leaves it alone.',
    docs: {
      cause:
        'A file or glob that was named matches nothing, so what was meant to be compiled would be missing.',
      fix: 'Give the path of an existing file, or a glob such as `"src/**/*.ts"`. `node_modules` and `.d.ts` files are never taken.',
      example: 'mcpgen ts src/tols.ts',
    },
  }),
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
  'typescript-error': define<{ number: number; message: string }>({
    code: 'MCPG802',
    severity: 'error',
    message: ({ number, message }) => `TypeScript finds an error here: ${message} (TS${number})`,
    hint: 'Correct the code; `npx tsc --noEmit` finds the same.',
    docs: {
      cause:
        'Schemas are made from types, and what is emitted must run. Where TypeScript finds a fault (a syntax error, a type error, a module that is not there), neither can be relied on.',
      fix: 'Correct the code; `tsc --noEmit` finds the same. The compiler options are those of the nearest tsconfig.json; without one: strict, NodeNext, ES2023.',
      example: "/** @tool */\nexport function port(): number {\n  return '80';\n}",
    },
  }),
  'tsconfig-unusable': define<{ file: string; message: string }>({
    code: 'MCPG803',
    severity: 'error',
    message: ({ file, message }) => `${file} can't be used: ${message}`,
    hint: 'Correct it, or name another with `--tsconfig`.',
    docs: {
      cause:
        'The nearest tsconfig.json says how the code is to be read, and TypeScript can not make sense of it.',
      fix: 'Correct the file; `tsc --showConfig` shows what TypeScript makes of it. `--tsconfig file` names another.',
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
    hint: 'Export the function, or make the method public in an exported class.',
    docs: {
      cause:
        'The server calls what modules export. A function that is not exported, or a method that is private or in a class that is not exported, is out of reach.',
      fix: 'Export it, or take the tag away.',
      example: '/** @tool */\nfunction add(a: number, b: number): number {',
    },
  }),
  'tagged-not-served': define<{ tag: string; because: string }>({
    code: 'MCPG826',
    severity: 'warning',
    message: ({ tag, because }) => `@${tag} makes nothing here: ${because}.`,
    hint: 'Put the tag before an exported function, or a public method of an exported class or object.',
    docs: {
      cause:
        'Only functions that a module exports, and methods of classes and objects that it exports, can be called. What this block stands before is something else: a type, a getter, what stands in a namespace or inside of a function.',
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
      `@param ${name} names no parameter of the function, so what it says is lost.${meant === '' ? '' : ` Did you mean ${meant}?`}`,
    hint: 'Write the name of a parameter, or take the tag away.',
    docs: {
      cause:
        'The words and tags behind `@param` describe the argument of that name. The function has none, often since a parameter was renamed.',
      fix: 'Write the name as the function has it. Members of an arguments object are described in blocks before them.',
      example:
        '/**\n * @tool\n * @param town The city.\n */\nexport function forecast(city: string): string {',
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
  'class-not-constructible': define<{ name: string; because: string }>({
    code: 'MCPG809',
    severity: 'error',
    message: ({ name, because }) => `The server can't make an instance of ${name}: ${because}.`,
    hint: 'Give the constructor defaults, or make the tagged methods static.',
    docs: {
      cause:
        'Tagged methods are called on an instance that the server makes itself, without arguments. This class needs some, or is abstract.',
      fix: 'Give each parameter of the constructor a default, make the methods static, or tag functions that know their instance.',
      example: 'export class Notes {\n  constructor(folder: string) {}\n  /** @tool */\n  list(): string[] {',
    },
  }),
  'name-taken': define<{ kind: string; name: string }>({
    code: 'MCPG810',
    severity: 'error',
    message: ({ kind, name }) => `Two ${kind} have the name ${name}. Clients would see only one.`,
    hint: 'Give one of them another name, behind its tag or in `x-mcp`; of two sources, give one a `prefix`.',
    docs: {
      cause: 'Clients know tools and prompts by their names, resources by their URIs. Each must stand once.',
      fix: 'Write another name behind the tag: `@tool list_pets`. In a document, set `x-mcp.name`. Of two entries of `sources` in the configuration, one may have a `prefix`, with which its names begin.',
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
  'variable-not-a-parameter': define<{ variable: string; uri: string; meant: string }>({
    code: 'MCPG813',
    severity: 'error',
    message: ({ variable, uri, meant }) =>
      `${uri} has the variable ${variable}, but the function has no parameter of that name.${meant === '' ? '' : ` Did you mean ${meant}?`}`,
    hint: 'Name a parameter, or a property of the one object, as the variable.',
    docs: {
      cause:
        'The variables of a URI template are the arguments of the function, by name. This one goes nowhere.',
      fix: 'Rename the variable or the parameter.',
      example: '/** @resource weather://stations/{id} */\nexport function station(name: string): string {',
    },
  }),
  'parameter-not-a-variable': define<{ parameter: string; uri: string }>({
    code: 'MCPG814',
    severity: 'error',
    message: ({ parameter, uri }) =>
      `Nothing gives the parameter ${parameter} a value: it is no variable of ${uri}.`,
    hint: 'Put it into the template, as `{name}` or `{?name}`, or give it a default.',
    docs: {
      cause:
        'A resource is read by its URI alone. A parameter that the URI does not hold never gets a value.',
      fix: 'Make it a variable of the template (`{?name}` for a query), optional, or leave it out.',
      example: '/** @resource weather://stations */\nexport function stations(country: string): string {',
    },
  }),
  'text-parameter': define<{ parameter: string; of: string }>({
    code: 'MCPG815',
    severity: 'error',
    message: ({ parameter, of }) =>
      `${parameter} must be a string, a number or a boolean: ${of} arrive as strings.`,
    hint: 'Take a string, and parse it in the function.',
    docs: {
      cause:
        'MCP hands over the arguments of prompts and the variables of resource templates as strings. Numbers and booleans are parsed; nothing says how another type would be written.',
      fix: 'Give the parameter a primitive type, or a union of literals.',
      example: '/** @prompt */\nexport function plan(days: Date[]): string {',
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
  'bad-header': define<{ header: string; problem: string }>({
    code: 'MCPG818',
    severity: 'error',
    message: ({ header, problem }) => `@header ${header} can't be used: ${problem}.`,
    hint: 'Correct it, or take the tag away.',
    docs: {
      cause:
        'With `@header Name` clients repeat an argument in the HTTP header `Mcp-Param-Name`. A client drops a tool whose header is no token (RFC 9110), stands twice, or mirrors anything but a string, an integer or a boolean.',
      fix: 'Correct the name, or take the tag away.',
      example:
        '/** @tool */\nexport function find(/** @header Region */ place: { region: string }, limit: number): string {',
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
  'package-without-range': define<{ package: string; range: string }>({
    code: 'MCPG820',
    severity: 'warning',
    message: ({ package: name, range }) =>
      `${name} is imported, but stands in no package.json above the file. The project takes ${range}, what is installed.`,
    hint: 'Add it to the dependencies of your package.json.',
    docs: {
      cause:
        'The emitted project depends on the packages that your code imports, with the ranges of your own package.json. This one is not in it.',
      fix: 'Add the package to your dependencies, so that both take the same.',
    },
  }),
  'not-erasable': define<{ what: string }>({
    code: 'MCPG821',
    severity: 'info',
    message: ({ what }) =>
      `${what} is more than types, so Node can't run src/ by leaving types out. dist/ runs.`,
    docs: {
      cause:
        'Enums, namespaces, parameter properties and `import x = require()` need to be compiled. The tsconfig.json of the project lets them pass, and the project runs from `dist/` alone.',
      fix: 'Nothing needs to be done.',
      example: 'export enum Unit { celsius, fahrenheit }',
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
  'choice-at-top': define<{ tool: string; keyword: string }>({
    code: 'MCPG825',
    severity: 'info',
    message: ({ tool, keyword }) =>
      `The input schema of ${tool} has ${keyword} at its top, as \`@schema\` says. The APIs of some models refuse such tools.`,
    docs: {
      cause:
        'MCP allows any JSON Schema for the arguments of a tool, so yours is listed as it stands. Some models take tools only without a choice (`anyOf`, `oneOf`, `allOf`) at the top of their input schema.',
      fix: 'Nothing needs to be done where your models take it. Else say in the description which arguments go together, and check them in the function.',
      example:
        '/** @tool */\nexport function reach(/** @schema {"type":"object","anyOf":[…]} */ person: Person): string {',
    },
  }),
  'code-only-declared': define<{ specifier: string; file: string }>({
    code: 'MCPG831',
    severity: 'error',
    message: ({ specifier, file }) =>
      `${codeSpan(specifier)} is read as ${file}, which holds types alone: the server would not find its code.`,
    hint: 'Delete the declaration file, so that the JavaScript beside it is read, or write it as TypeScript.',
    docs: {
      cause:
        'TypeScript prefers `lib.d.ts` to the `lib.js` beside it, and the project has what TypeScript reads. What is imported here is more than types.',
      fix: 'Delete the declaration file: JavaScript is read with its JSDoc types. Or write the file as TypeScript, put it into a package, or import its types alone (`import type`).',
      example: "src/lib.js\nsrc/lib.d.ts\nsrc/tools.ts: import { lib } from './lib.js';",
    },
  }),
  'several-tsconfigs': define<{ used: string; other: string; file: string }>({
    code: 'MCPG832',
    severity: 'warning',
    message: ({ used, other, file }) =>
      `${file} has another configuration (${other}) than the first file (${used}), whose compiler options are taken for all.`,
    hint: 'Name the one that counts: `--tsconfig`, or `tsconfig` in the configuration.',
    docs: {
      cause:
        'All functions are one program with one set of compiler options. The nearest tsconfig.json of these files differ in what they say of code; what they include, and where they put output, does not count.',
      fix: 'Name one with `--tsconfig file`, or as `tsconfig` of each source in mcpgen.config.*: one that all of the code can be compiled by.',
      example: 'src/tsconfig.json\ntools/tsconfig.json',
    },
  }),
  'package-only-here': define<{ package: string; written: string; range: string }>({
    code: 'MCPG830',
    severity: 'warning',
    message: ({ package: name, written, range }) =>
      `${name} stands in your package.json as ${codeSpan(written)}, which is known on this machine alone. The project takes ${range} from the registry, where it may not be.`,
    hint: 'Publish the package, or import its code by a relative path, so that it is copied.',
    docs: {
      cause:
        'The emitted project is installed by itself. `file:`, `link:` and `portal:` name folders that it does not have, and a private package of a workspace is never published. `workspace:^` of another stands as the range that publishing gives it.',
      fix: 'Publish the package and name its version; or import its code by a relative path. A project inside the folder whose `node_modules` has the package runs without an installation of its own.',
      example: '"dependencies": { "shared": "file:../shared" }',
    },
  }),
  'file-not-carried': define<{ what: string; problem: string }>({
    code: 'MCPG829',
    severity: 'warning',
    message: ({ what, problem }) => `${codeSpan(what)} is not copied to the project: ${problem}.`,
    hint: 'Name a text file in your package by a literal, import it as a module, or take its place from the environment.',
    docs: {
      cause:
        'What code reads beside itself, by `new URL(name, import.meta.url)` or a path joined to `import.meta.dirname`, goes with the code when it is a text file in the folder of your package.json and named by a literal. This is not, so the emitted server would not find it. `mcpgen serve` does: there the code runs where it stands.',
      fix: 'Name the file by a literal; import data (`import cities from "./cities.json" with { type: "json" }`); or let the environment say where it is.',
      example: "readFileSync(new URL(`./cities/${name}.json`, import.meta.url), 'utf8')",
    },
  }),
  'parameter-not-usable': define<{ parameter: string; problem: string }>({
    code: 'MCPG822',
    severity: 'error',
    message: ({ parameter, problem }) => `The parameter ${parameter} can't be an argument: ${problem}.`,
    hint: 'Give each parameter a name of its own, or take one object.',
    docs: {
      cause: 'Arguments are known by the names of parameters, and the `Context` is handed over once.',
      fix: 'Name the parameter (a pattern needs to be the only one, and an object), and take one `Context` at most.',
      example:
        '/** @tool */\nexport function area([width, height]: [number, number], unit: string): number {',
    },
  }),
};
