/** MCPG8xx: the files that hold functions, how they are compiled, and what the project carries of them. */
import { codeSpan } from '../../code-span.ts';
import { define } from '../../define.ts';

/** Of a package that is a project of the user's own; of others the folder is empty. */
function buildFirst(folder: string): string {
  if (folder === '') return '';
  return ` ${codeSpan(folder)} is a project of yours that is not built: run \`npx tsc -b\` there first.`;
}

export const codeDiagnostics = {
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
  'typescript-error': define<{ number: number; message: string; unbuilt: string }>({
    code: 'MCPG802',
    severity: 'error',
    message: ({ number, message, unbuilt }) =>
      `TypeScript finds an error here: ${message} (TS${number})${buildFirst(unbuilt)}`,
    hint: 'Correct the code. Where there is a tsconfig.json, `npx tsc --noEmit` finds the same.',
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
  'file-not-carried': define<{ what: string; problem: string }>({
    code: 'MCPG829',
    severity: 'warning',
    message: ({ what, problem }) => `${codeSpan(what)} is not copied to the project: ${problem}.`,
    hint: 'Name a text file in your package, or a module, by a literal, or take its place from the environment.',
    docs: {
      cause:
        'What code reads beside itself, by `new URL(name, import.meta.url)` or a path joined to `import.meta.dirname`, goes with the code when it is a text file in the folder of your package.json and named by a literal. This is not, so the emitted server would not find it. `mcpgen serve` finds files: there the code runs where it stands; but modules are found by neither, unless a literal names them.',
      fix: 'Name the file by a literal; write `import()` once for each module, with its name as a literal; import data (`import cities from "./cities.json" with { type: "json" }`); or let the environment say where it is.',
      example: "readFileSync(new URL(`./cities/${name}.json`, import.meta.url), 'utf8')",
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
  'name-hidden-in-package': define<{ name: string; specifier: string }>({
    code: 'MCPG833',
    severity: 'error',
    message: ({ name, specifier }) =>
      `${codeSpan(specifier)} is a CommonJS module, in whose text Node finds no export ${name}: the file could not be loaded, or the name would be undefined.`,
    hint: 'Import the whole of it as the default export, and take the name from there: `import all from "…"; const { name } = all;`',
    docs: {
      cause:
        'The project runs as ES modules. Node reads the names that a CommonJS module exports from its text, without running it; one that assigns them in a loop, or by a function, hides them. Types say that they are there, and each call would fail.',
      fix: 'Import the default export, which is the whole of `module.exports`, and take the name from it. Or import a build of the package that is an ES module.',
      example: "import { one } from 'loops'; // loops/index.js: for (const n of names) exports[n] = make(n);",
    },
  }),
  'package-of-typescript': define<{ specifier: string }>({
    code: 'MCPG834',
    severity: 'error',
    message: ({ specifier }) =>
      `${codeSpan(specifier)} is TypeScript inside of node_modules, which Node does not run.`,
    hint: 'Build the package to JavaScript; link it from your workspace, so that it is carried as your own code; or import its code by a relative path.',
    docs: {
      cause:
        'The package says by its package.json that its code is a `.ts` file. Node leaves types out of no file below node_modules, so that each call would fail. What a link in node_modules leads to, outside of it, is your own code: the project has a copy of it.',
      fix: 'Take a build of the package, or its code as a part of yours.',
      example: '{ "name": "shared", "exports": "./src/index.ts" }',
    },
  }),
  'package-not-loadable': define<{ specifier: string; unbuilt: string }>({
    code: 'MCPG835',
    severity: 'error',
    message: ({ specifier, unbuilt }) =>
      `The package of ${codeSpan(specifier)} is installed, but Node finds no such module in it: TypeScript has read types alone.${buildFirst(unbuilt)}`,
    hint: 'Write what the package exports, or the whole path of a file with its ending; import types with `import type`.',
    docs: {
      cause:
        'Node looks for what `exports` of package.json names, or for a file of exactly this name; it guesses no endings and no index files below a package. With `moduleResolution` set for bundlers TypeScript finds more than Node does.',
      fix: 'Write the path with its ending (`lodash/fp.js`), or a name that the package exports. Where only types are meant, write `import type`.',
      example: "import fp from 'lodash/fp';",
    },
  }),
  'cycle-of-module-kinds': define<{ file: string; specifier: string }>({
    code: 'MCPG836',
    severity: 'error',
    message: ({ file, specifier }) =>
      `${file} is a CommonJS module, and what it loads by ${codeSpan(specifier)} is an ES module that loads ${file} again: Node refuses to load either.`,
    hint: 'Move what both need into a third file, or load one of them later, by `await import()` in a function.',
    docs: {
      cause:
        'Node loads an ES module for a CommonJS module at once, and can do that only where nothing in it leads back (ERR_REQUIRE_CYCLE_MODULE). TypeScript accepts it, and each call would fail.',
      fix: 'Break the cycle: put what both need into a file of its own, load one later by `await import()` in a function, or write all as ES modules (`.ts` in place of `.cts`).',
      example:
        "src/tools.ts: import { old } from './old.cjs';\nsrc/old.cts: import tools = require('./tools.js');",
    },
  }),
  'required-module-waits': define<{ file: string; specifier: string; waiting: string }>({
    code: 'MCPG837',
    severity: 'error',
    message: ({ file, specifier, waiting }) =>
      `${file} is a CommonJS module, and what it loads by ${codeSpan(specifier)} has to be waited for: ${waiting} has an \`await\` outside of functions.`,
    hint: 'Load it by `await import()` in a function, or write the file as an ES module.',
    docs: {
      cause:
        'A CommonJS module loads another at once. An ES module with an `await` at its top, or one that imports such, can only be waited for (ERR_REQUIRE_ASYNC_MODULE), so each call would fail.',
      fix: 'Load it by `await import()` in a function, take the `await` into one, or write the file as an ES module (`.ts` in place of `.cts`).',
      example: "src/old.cts: import tools = require('./tools.js');\nsrc/tools.ts: const data = await load();",
    },
  }),
  'name-of-commonjs': define<{ name: string; instead: string }>({
    code: 'MCPG870',
    severity: 'error',
    message: ({ name, instead }) =>
      `${name} is not there in an ES module, which this file is: it would fail when it runs. Write ${instead}.`,
    hint: 'Only CommonJS modules have it: those of a package without `"type": "module"`, and those whose names end in `.cts` or `.cjs`.',
    docs: {
      cause:
        'Node gives `require`, `module`, `exports`, `__dirname` and `__filename` to CommonJS modules alone. TypeScript lets them pass, since the types of Node declare them for all files. This file is an ES module: by its package.json, by its name, or since it has `import.meta` or an `await` outside of functions.',
      fix: 'Write `import.meta.dirname` and `import.meta.filename`, `import` and `export`; or give the file a name that ends in `.cts`. One that asks first (`typeof __dirname`) is let be.',
      example: '{ "type": "module" }\nexport const cities = readFileSync(join(__dirname, "cities.json"));',
    },
  }),
  'alias-of-package': define<{ specifier: string }>({
    code: 'MCPG838',
    severity: 'error',
    message: ({ specifier }) =>
      `${codeSpan(specifier)} is a name that your own configuration gives to a package, and the server would not find it.`,
    hint: 'Import the package by its own name.',
    docs: {
      cause:
        'Files of your own that `imports` of package.json or `paths` of tsconfig.json name are copied, and imported by where they stand. A package is imported as it is written, and no configuration of yours goes with the code.',
      fix: 'Import the package by the name under which it is installed.',
      example: '"imports": { "#dep": "dep" }\nimport { one } from "#dep";',
    },
  }),
  'default-of-commonjs': define<{ name: string; specifier: string }>({
    code: 'MCPG839',
    severity: 'error',
    message: ({ name, specifier }) =>
      `${name} is another thing when the server runs: ${codeSpan(specifier)} is a CommonJS module, whose default export is for Node all that it exports, not what it exports as \`default\`.`,
    hint: 'Set `"module": "nodenext"` in tsconfig.json, so that TypeScript reads packages as Node does, and write `.default` behind it; or import by another name.',
    docs: {
      cause:
        'The module was compiled from ES modules to CommonJS (`__esModule`). Bundlers, and TypeScript with `moduleResolution` for them or with `module` CommonJS, take its `exports.default` for the default export; Node takes `module.exports`. Each use would fail.',
      fix: 'Let TypeScript see it: `"module": "nodenext"`. Then write `all.default`, or import what you need by its name.',
      example:
        "import parse from 'old-parser'; // old-parser/index.js: exports.__esModule = true; exports.default = parse;",
    },
  }),
};
