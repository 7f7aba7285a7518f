/** MCPG8xx: files with functions, their compilation, and the code and packages that the project contains. */
import { defineDiagnostic } from '../define.ts';
import { quoteAsCodeSpan } from '../quoting.ts';

function hintToBuildFirst(folder: string): string {
  if (folder === '') return '';
  return ` Your project ${quoteAsCodeSpan(folder)} is not built: run \`npx tsc -b\` there first.`;
}

export const codeDiagnostics = {
  'writes-own-folder': defineDiagnostic<{ folder: string }>({
    code: 'MCPG861',
    severity: 'warning',
    message: ({ folder }) =>
      `This writes below the module's own folder, which is ${folder} in the project: a fresh clone, a new container and \`npm run clean\` lose the data.`,
    hint: 'Take the path from a variable of the environment, such as DATA_FILE, and document it.',
    docs: {
      cause:
        'A function or handler makes a path of `import.meta.dirname`, `import.meta.url` or `__dirname` and writes to it. In the project, the module runs from dist/, which is not committed, and which containers and read-only installations do not keep. Builds and `mcpgen generate` leave such files alone.',
      fix: 'Write to a path that the environment names, or below the working folder or the home folder. Reading files beside the module is fine.',
      example: "appendFileSync(join(import.meta.dirname, 'memory.jsonl'), line);",
    },
  }),
  'no-source-files': defineDiagnostic<{ pattern: string }>({
    code: 'MCPG800',
    severity: 'error',
    message: ({ pattern }) => `No TypeScript or JavaScript file matches ${pattern}.`,
    hint: ({ pattern }) =>
      /^[^*{.]*$/.test(pattern)
        ? `If it is a folder, name its files: \`"${pattern.replace(/\/$/, '')}/**/*.ts"\`.`
        : 'Check the path, which is relative to the working folder. Quote globs, so that the shell does not expand them.',
    docs: {
      cause: 'A named file or glob matches nothing, so code would be missing.',
      fix: 'Use the path of an existing file, or a glob such as `"src/**/*.ts"`. Globs never match `node_modules` and `.d.ts` files.',
      example: 'mcpgen ts src/tols.ts',
    },
  }),
  'typescript-error': defineDiagnostic<{
    number: number;
    message: string;
    unbuilt: string;
    own: string;
    other: string;
  }>({
    code: 'MCPG802',
    severity: 'error',
    message: ({ number, message, unbuilt }) =>
      `TypeScript reports an error here: ${message} (TS${number})${hintToBuildFirst(unbuilt)}`,
    hint: ({ own, other }) =>
      other === ''
        ? 'Correct the code. With a tsconfig.json, `npx tsc --noEmit` reports the same.'
        : `Correct the code. If only mcpgen reports this, write code that both accept: mcpgen reads with TypeScript ${own}, and your project has ${other}.`,
    docs: {
      cause:
        'Schemas come from types, and the emitted code must run. With a TypeScript error (a syntax error, a type error, a missing module), neither is reliable.',
      fix: 'Correct the code; `tsc --noEmit` of the same TypeScript reports the same. mcpgen brings its own TypeScript, whose version the hint names if your project has another. It uses the nearest tsconfig.json, or by default strict, NodeNext and ES2023.',
      example: "/** @tool */\nexport function port(): number {\n  return '80';\n}",
    },
  }),
  'tsconfig-unusable': defineDiagnostic<{ file: string; message: string }>({
    code: 'MCPG803',
    severity: 'error',
    message: ({ file, message }) => `${file} can't be used: ${message}`,
    hint: 'Correct it, or name another one with `--tsconfig`.',
    docs: {
      cause: 'TypeScript cannot read the nearest tsconfig.json, which sets the compiler options.',
      fix: 'Correct the file; `tsc --showConfig` shows how TypeScript reads it. `--tsconfig file` names another one.',
    },
  }),
  'tsconfig-option-of-newer-typescript': defineDiagnostic<{
    file: string;
    option: string;
    installed: string;
    own: string;
    instead: string;
  }>({
    code: 'MCPG849',
    severity: 'warning',
    message: ({ file, option, installed, own, instead }) =>
      `${file} sets ${quoteAsCodeSpan(option)} ${instead === '' ? '' : 'to a value '}for your TypeScript ${installed}. mcpgen reads the code with TypeScript ${own}, which ${instead === '' ? 'ignores it' : `takes ${quoteAsCodeSpan(instead)} in its place`}.`,
    hint: 'If the schemas are not as you expect, name a tsconfig.json with `--tsconfig` that both understand.',
    docs: {
      cause:
        'mcpgen brings the TypeScript that reads your code. Your project has a newer one, with an option or a value that the older one does not know. Options that only steer speed or output, such as `checkers`, change nothing in the schemas.',
      fix: 'No action is needed if the tools are listed as you expect. Else give mcpgen a tsconfig.json of its own with `--tsconfig`, which extends yours and sets the option to a value that both know.',
      example: '{ "compilerOptions": { "target": "es2026" } }',
    },
  }),
  'class-not-constructible': defineDiagnostic<{ name: string; because: string; made: string }>({
    code: 'MCPG809',
    severity: 'error',
    message: ({ name, because }) => `The server cannot create an instance of ${name}: ${because}.`,
    hint: ({ made }) =>
      `Export an instance, such as ${quoteAsCodeSpan(`export const one = ${made}`)}: its methods are served.`,
    docs: {
      cause:
        'The server calls tagged methods on an instance that it creates without arguments. This class needs arguments or is abstract.',
      fix: 'Export an instance that your code makes: `export const notes = new Notes("data")`, or what a factory or a promise gives. Or give each constructor parameter a default, or make the methods static.',
      example: 'export class Notes {\n  constructor(folder: string) {}\n  /** @tool */\n  list(): string[] {',
    },
  }),
  'package-without-range': defineDiagnostic<{ package: string; range: string }>({
    code: 'MCPG820',
    severity: 'warning',
    message: ({ package: name, range }) =>
      `${name} is imported, but no package.json above the file lists it. The project uses the installed version ${range}.`,
    hint: 'Add it to the dependencies of your package.json.',
    docs: {
      cause:
        'The emitted project depends on the packages that your code imports, with the ranges from your package.json, which lacks this one.',
      fix: 'Add the package to your dependencies, so that both use the same version.',
    },
  }),
  'not-erasable': defineDiagnostic<{ what: string }>({
    code: 'MCPG821',
    severity: 'info',
    message: ({ what }) =>
      `${what} needs compilation, so Node cannot run src/ by removing types. dist/ works.`,
    docs: {
      cause:
        "Enums, namespaces, parameter properties and `import x = require()` need compilation. The project's tsconfig.json allows them, and the project runs only from `dist/`.",
      fix: 'No action is needed.',
      example: 'export enum Unit { celsius, fahrenheit }',
    },
  }),
  'file-not-carried': defineDiagnostic<{ what: string; problem: string }>({
    code: 'MCPG829',
    severity: 'warning',
    message: ({ what, problem }) => `${quoteAsCodeSpan(what)} is not copied to the project: ${problem}.`,
    hint: 'Name a text file in your package, or a module, with a literal, or take its path from the environment.',
    docs: {
      cause:
        'mcpgen copies files that code reads with `new URL(name, import.meta.url)` or a path joined to `import.meta.dirname`, if they are text files in the folder of your package.json and a literal names them. The emitted server would not find this one. All commands report it: `mcpgen serve` runs the code in place and finds files, but modules always need a literal.',
      fix: 'Name the file with a literal; write one `import()` with a literal per module; import data (`import cities from "./cities.json" with { type: "json" }`); or set the path in the environment.',
      example: "readFileSync(new URL(`./cities/${name}.json`, import.meta.url), 'utf8')",
    },
  }),
  'package-only-here': defineDiagnostic<{ package: string; written: string; range: string }>({
    code: 'MCPG830',
    severity: 'warning',
    message: ({ package: name, written, range }) =>
      `Your package.json lists ${name} as ${quoteAsCodeSpan(written)}, which only works on this machine. The project uses ${range} from the registry, which may not have it.`,
    hint: 'Publish the package, or import its code with a relative path, so that it is copied.',
    docs: {
      cause:
        'The emitted project is installed separately. It does not contain folders that `file:`, `link:` and `portal:` name, and a private workspace package is never published. For other packages, `workspace:^` becomes the published range.',
      fix: 'Publish the package and name its version, or import its code with a relative path. A project below a `node_modules` that has the package runs without its own installation.',
      example: '"dependencies": { "shared": "file:../shared" }',
    },
  }),
  'code-only-declared': defineDiagnostic<{ specifier: string; file: string }>({
    code: 'MCPG831',
    severity: 'error',
    message: ({ specifier, file }) =>
      `${quoteAsCodeSpan(specifier)} resolves to ${file}, which contains only types, so the server would not find its code.`,
    hint: 'Delete the declaration file, so that TypeScript reads the JavaScript beside it, or write it as TypeScript.',
    docs: {
      cause:
        'TypeScript prefers `lib.d.ts` to the `lib.js` beside it, and mcpgen copies what TypeScript reads. This import needs more than types.',
      fix: "Delete the declaration file: TypeScript reads types from the JavaScript's JSDoc. Or write the file as TypeScript, move it to a package, or import only its types (`import type`).",
      example: "src/lib.js\nsrc/lib.d.ts\nsrc/tools.ts: import { lib } from './lib.js';",
    },
  }),
  'several-tsconfigs': defineDiagnostic<{ used: string; other: string; file: string }>({
    code: 'MCPG832',
    severity: 'warning',
    message: ({ used, other, file }) =>
      `${file} has a different configuration (${other}) than the first file (${used}), whose compiler options apply to all.`,
    hint: 'Choose one with `--tsconfig`, or `tsconfig` in the configuration.',
    docs: {
      cause:
        'All functions compile as one program with one set of compiler options. The nearest tsconfig.json of these files have different options; included files and output folders do not matter.',
      fix: 'Use `--tsconfig file`, or `tsconfig` of each source in mcpgen.config.*, with options that work for all of the code.',
      example: 'src/tsconfig.json\ntools/tsconfig.json',
    },
  }),
  'name-hidden-in-package': defineDiagnostic<{ name: string; specifier: string }>({
    code: 'MCPG833',
    severity: 'error',
    message: ({ name, specifier }) =>
      `${quoteAsCodeSpan(specifier)} is a CommonJS module without a static export ${name}: the file would fail to load, or the name would be undefined.`,
    hint: 'Import the default export and take the name from it: `import all from "…"; const { name } = all;`',
    docs: {
      cause:
        'The project runs as ES modules. Node finds the exports of a CommonJS module in its text, without running it, so it misses names that a loop or function assigns. The types include them, but each call would fail.',
      fix: 'Import the default export, which is `module.exports`, and take the name from it. Or import an ES module build of the package.',
      example: "import { one } from 'loops'; // loops/index.js: for (const n of names) exports[n] = make(n);",
    },
  }),
  'package-of-typescript': defineDiagnostic<{ specifier: string }>({
    code: 'MCPG834',
    severity: 'error',
    message: ({ specifier }) =>
      `${quoteAsCodeSpan(specifier)} is TypeScript in node_modules, which Node does not run.`,
    hint: 'Build the package to JavaScript, link it from your workspace, so that mcpgen copies it as your own code, or import its code with a relative path.',
    docs: {
      cause:
        'The package.json of the package names a `.ts` file as its code. Node does not remove types in node_modules, so each call would fail. Links in node_modules to folders outside are your own code, which mcpgen copies.',
      fix: 'Use a build of the package, or its code as part of yours.',
      example: '{ "name": "shared", "exports": "./src/index.ts" }',
    },
  }),
  'package-not-loadable': defineDiagnostic<{ specifier: string; unbuilt: string }>({
    code: 'MCPG835',
    severity: 'error',
    message: ({ specifier, unbuilt }) =>
      `The package of ${quoteAsCodeSpan(specifier)} is installed, but Node finds no such module in it: TypeScript only read types.${hintToBuildFirst(unbuilt)}`,
    hint: 'Use an exported name of the package, or the full path of a file with its extension. Import types with `import type`.',
    docs: {
      cause:
        'Node uses `exports` of package.json or a file with exactly this name; in packages, it adds no extensions or index files. With `moduleResolution` for bundlers, TypeScript finds more than Node.',
      fix: 'Write the path with its extension (`lodash/fp.js`), or a name that the package exports. For types only, write `import type`.',
      example: "import fp from 'lodash/fp';",
    },
  }),
  'cycle-of-module-kinds': defineDiagnostic<{ file: string; specifier: string }>({
    code: 'MCPG836',
    severity: 'error',
    message: ({ file, specifier }) =>
      `${file} is a CommonJS module that loads the ES module ${quoteAsCodeSpan(specifier)}, which loads ${file} again: Node refuses to load either.`,
    hint: 'Move shared code to a third file, or load one of them later with `await import()` in a function.',
    docs: {
      cause:
        'Node loads an ES module synchronously for a CommonJS module, which is impossible in a cycle (ERR_REQUIRE_CYCLE_MODULE). TypeScript accepts it, but each call would fail.',
      fix: 'Break the cycle: move shared code to a separate file, load one later with `await import()` in a function, or write all as ES modules (`.ts` instead of `.cts`).',
      example:
        "src/tools.ts: import { old } from './old.cjs';\nsrc/old.cts: import tools = require('./tools.js');",
    },
  }),
  'required-module-waits': defineDiagnostic<{ file: string; specifier: string; waiting: string }>({
    code: 'MCPG837',
    severity: 'error',
    message: ({ file, specifier, waiting }) =>
      `${file} is a CommonJS module, but ${quoteAsCodeSpan(specifier)} cannot load synchronously: ${waiting} has an \`await\` outside of functions.`,
    hint: 'Load it with `await import()` in a function, or write the file as an ES module.',
    docs: {
      cause:
        'CommonJS modules load synchronously. An ES module with a top-level `await`, or with an import of one, loads only asynchronously (ERR_REQUIRE_ASYNC_MODULE), so each call would fail.',
      fix: 'Load it with `await import()` in a function, move the `await` into one, or write the file as an ES module (`.ts` instead of `.cts`).',
      example: "src/old.cts: import tools = require('./tools.js');\nsrc/tools.ts: const data = await load();",
    },
  }),
  'name-of-commonjs': defineDiagnostic<{ name: string; instead: string }>({
    code: 'MCPG870',
    severity: 'error',
    message: ({ name, instead }) =>
      `${name} does not exist in ES modules such as this file, so it would fail at run time. Use ${instead}.`,
    hint: 'Only CommonJS modules have it: those of a package without `"type": "module"`, and `.cts` and `.cjs` files.',
    docs: {
      cause:
        "Only CommonJS modules have `require`, `module`, `exports`, `__dirname` and `__filename`. TypeScript accepts them everywhere, since Node's types declare them globally. This file is an ES module because of its package.json, its name, `import.meta`, or a top-level `await`.",
      fix: 'Use `import.meta.dirname` and `import.meta.filename`, `import` and `export`, or rename the file to `.cts`. A check such as `typeof __dirname` is allowed.',
      example: '{ "type": "module" }\nexport const cities = readFileSync(join(__dirname, "cities.json"));',
    },
  }),
  'module-not-of-node': defineDiagnostic<{ specifier: string; instead: string }>({
    code: 'MCPG872',
    severity: 'error',
    message: ({ specifier, instead }) =>
      `${quoteAsCodeSpan(specifier)} is no module that Node can load, so the server would never start.${instead === '' ? '' : ` Use ${instead}.`}`,
    hint: 'Import a module of Node or an npm package by its own name, or load this one with `await import()` in a function that only runs elsewhere.',
    docs: {
      cause:
        'Emitted servers and `mcpgen serve` run on Node, which knows neither the modules of Bun, Deno and workers (`bun:sqlite`, `cloudflare:workers`) nor `npm:`, `jsr:` and `https:` imports. TypeScript accepts them where their types are installed or declared.',
      fix: 'Use what Node has (`node:sqlite`), or install the package and import it by its name (`npm:zod` is `zod`; `npx jsr add @std/path` installs `@std/path`).',
      example: "import { Database } from 'bun:sqlite';\nimport { join } from 'jsr:@std/path';",
    },
  }),
  'required-file-missing': defineDiagnostic<{ what: string }>({
    code: 'MCPG873',
    severity: 'error',
    message: ({ what }) => `${quoteAsCodeSpan(what)} finds no file, so the server would never start.`,
    hint: 'Correct the path, or call it in a function if the file is made later.',
    docs: {
      cause:
        'The module requires a file while it loads, and the file does not exist. TypeScript does not check `require()`, but the server would end before its first message.',
      fix: 'Correct the path, or use `import`, which TypeScript checks. A `require()` in a function or a `try` block is allowed.',
      example: "const cities = require('./citties.json');",
    },
  }),
  'alias-of-package': defineDiagnostic<{ specifier: string }>({
    code: 'MCPG838',
    severity: 'error',
    message: ({ specifier }) =>
      `${quoteAsCodeSpan(specifier)} is an alias in your configuration for a package, and the server would not find it.`,
    hint: 'Import the package by its own name.',
    docs: {
      cause:
        'mcpgen copies your own files behind `imports` of package.json or `paths` of tsconfig.json, and rewrites their imports. Imports of packages stay as written, and your configuration is not copied.',
      fix: 'Import the package by its installed name.',
      example: '"imports": { "#dep": "dep" }\nimport { one } from "#dep";',
    },
  }),
  'default-of-commonjs': defineDiagnostic<{ name: string; specifier: string }>({
    code: 'MCPG839',
    severity: 'error',
    message: ({ name, specifier }) =>
      `${name} differs at run time: ${quoteAsCodeSpan(specifier)} is a CommonJS module, whose default export in Node is all of its exports, not its \`default\`.`,
    hint: 'Set `"module": "nodenext"` in tsconfig.json, so that TypeScript reads packages like Node, and use `.default`; or import another name.',
    docs: {
      cause:
        'The module was compiled from ES modules to CommonJS (`__esModule`). Bundlers, and TypeScript with their `moduleResolution` or `module` CommonJS, use `exports.default` as the default export; Node uses `module.exports`. Each use would fail.',
      fix: 'Set `"module": "nodenext"`, so that TypeScript reports this. Then use `all.default`, or import names.',
      example:
        "import parse from 'old-parser'; // old-parser/index.js: exports.__esModule = true; exports.default = parse;",
    },
  }),
};

export const argumentDiagnostics = {
  'variable-not-a-parameter': defineDiagnostic<{ variable: string; uri: string; meant: string }>({
    code: 'MCPG813',
    severity: 'error',
    message: ({ variable, uri, meant }) =>
      `${uri} has the variable ${variable}, but the function has no parameter with that name.${meant === '' ? '' : ` Did you mean ${meant}?`}`,
    hint: 'Give a parameter, or a property of the single object parameter, the name of the variable.',
    docs: {
      cause: 'The variables of a URI template become arguments by name, but this one matches none.',
      fix: 'Rename the variable or the parameter.',
      example: '/** @resource weather://stations/{id} */\nexport function station(name: string): string {',
    },
  }),
  'parameter-not-a-variable': defineDiagnostic<{ parameter: string; uri: string }>({
    code: 'MCPG814',
    severity: 'error',
    message: ({ parameter, uri }) =>
      `The parameter ${parameter} gets no value, since it is not a variable of ${uri}.`,
    hint: 'Add it to the template as `{name}` or `{?name}`, or give it a default.',
    docs: {
      cause: 'A client reads a resource by its URI alone, so a parameter outside the URI never gets a value.',
      fix: 'Make it a variable of the template (`{?name}` for a query) or optional, or remove it.',
      example: '/** @resource weather://stations */\nexport function stations(country: string): string {',
    },
  }),
  'text-parameter': defineDiagnostic<{ parameter: string; of: string }>({
    code: 'MCPG815',
    severity: 'error',
    message: ({ parameter, of }) =>
      `${parameter} has a type that cannot be read from a string: ${of} arrive as strings.`,
    hint: 'Use a string, and parse it in the function.',
    docs: {
      cause:
        'MCP passes arguments of prompts and variables of resource templates as strings. The server parses numbers, booleans, and types with a string form in JSON (dates, `bigint`, URLs, regular expressions, bytes), but not objects, or lists in prompts.',
      fix: 'Use one of these types, a union of them or of literals, or parse a string yourself. In a template, a list variable becomes a list of them.',
      example: '/** @prompt */\nexport function plan(days: Date[]): string {',
    },
  }),
  'bad-header': defineDiagnostic<{ header: string; problem: string }>({
    code: 'MCPG818',
    severity: 'error',
    message: ({ header, problem }) => `@header ${header} is invalid: ${problem}.`,
    hint: 'Correct or remove the tag.',
    docs: {
      cause:
        'With `@header Name`, clients repeat an argument in the HTTP header `Mcp-Param-Name`. They reject a tool whose header is not a token (RFC 9110), is not unique, or mirrors anything but a string, integer or boolean.',
      fix: 'Correct the name, or remove the tag.',
      example:
        '/** @tool */\nexport function find(/** @header Region */ place: { region: string }, limit: number): string {',
    },
  }),
  'parameter-not-usable': defineDiagnostic<{ parameter: string; problem: string }>({
    code: 'MCPG822',
    severity: 'error',
    message: ({ parameter, problem }) => `The parameter ${parameter} cannot be an argument: ${problem}.`,
    hint: 'Give each parameter its own name (patterns by `@param`), or use a single object.',
    docs: {
      cause: 'Parameter names become argument names, and the `Context` is passed once.',
      fix: 'Name the parameter, and use at most one `Context`. `@param` names a pattern, in the order of parameters; a single object pattern needs no name.',
      example:
        '/** @tool */\nexport function area([width, height]: [number, number], unit: string): number {',
    },
  }),
  'choice-at-top': defineDiagnostic<{ tool: string; keyword: string }>({
    code: 'MCPG825',
    severity: 'info',
    message: ({ tool, keyword }) =>
      `The input schema of ${tool} has ${keyword} at its root, from \`@schema\`. Some model APIs refuse this.`,
    docs: {
      cause:
        'MCP allows any JSON Schema for tool arguments, so yours is unchanged. Some models only accept input schemas without `anyOf`, `oneOf` or `allOf` at the root.',
      fix: 'No action is needed if your models accept it. Otherwise, describe in words which arguments belong together, and check them in the function.',
      example:
        '/** @tool */\nexport function reach(/** @schema {"type":"object","anyOf":[…]} */ person: Person): string {',
    },
  }),
};
