/** MCPG8xx: files with functions, their compilation, and the code and packages that the project contains. */
import { defineDiagnostic } from '../define.ts';
import { quoteAsCodeSpan } from '../quoting.ts';

export const codeDiagnostics = {
  'no-source-files': defineDiagnostic<{ pattern: string }>({
    code: 'MCPG800',
    message: ({ pattern }) => `No TypeScript or JavaScript file matches ${pattern}.`,
    hint: ({ pattern }) =>
      /^[^*{.]*$/.test(pattern)
        ? `If it is a folder, name its files: \`"${pattern.replace(/\/$/, '')}/**/*.ts"\`.`
        : 'Check the path, which is relative to the working folder. Quote globs, so that the shell does not expand them.',
  }),
  'typescript-error': defineDiagnostic<{
    number: number;
    message: string;
    own: string;
    other: string;
  }>({
    code: 'MCPG802',
    message: ({ number, message }) => `TypeScript reports an error here: ${message} (TS${number})`,
    hint: ({ own, other }) =>
      other === ''
        ? 'Correct the code. With a tsconfig.json, `npx tsc --noEmit` reports the same.'
        : `Correct the code. If only mcpgen reports this, write code that both accept: mcpgen reads with TypeScript ${own}, and your project has ${other}.`,
  }),
  'tsconfig-unusable': defineDiagnostic<{ file: string; message: string }>({
    code: 'MCPG803',
    message: ({ file, message }) => `${file} can't be used: ${message}`,
    hint: 'Correct it, or name another one with `--tsconfig`.',
  }),
  'tsconfig-option-unknown': defineDiagnostic<{ file: string; option: string; own: string }>({
    code: 'MCPG849',
    severity: 'warning',
    message: ({ file, option, own }) =>
      `${file} sets ${quoteAsCodeSpan(option)} in a way that TypeScript ${own}, with which mcpgen reads the code, does not know, so it is ignored.`,
    hint: 'Correct the option. If a newer TypeScript knows it and the schemas are not as you expect, name another tsconfig.json with `--tsconfig`.',
  }),
  'class-not-constructible': defineDiagnostic<{ name: string; because: string; made: string }>({
    code: 'MCPG809',
    message: ({ name, because }) => `The server cannot create an instance of ${name}: ${because}.`,
    hint: ({ made }) =>
      `Export an instance, such as ${quoteAsCodeSpan(`export const one = ${made}`)}: its methods are served.`,
  }),
  'file-not-carried': defineDiagnostic<{ what: string; problem: string }>({
    code: 'MCPG829',
    severity: 'warning',
    message: ({ what, problem }) => `${quoteAsCodeSpan(what)} is not copied to the project: ${problem}.`,
    hint: 'Name a text file in your package, or a module, with a literal, or take its path from the environment.',
  }),
  'package-range-assumed': defineDiagnostic<{ package: string; written?: string; range: string }>({
    code: 'MCPG830',
    severity: 'warning',
    message: ({ package: name, written, range }) =>
      written === undefined
        ? `${name} is imported, but no package.json above the file lists it. The project uses the installed version ${range}.`
        : `Your package.json lists ${name} as ${quoteAsCodeSpan(written)}, which only works in its own workspace. The project uses ${range} from the registry, which may not have it.`,
    hint: ({ written }) =>
      written === undefined
        ? 'Add it to the dependencies of your package.json.'
        : 'Publish the package, or import its code with a relative path, so that it is copied.',
  }),
  'code-not-loadable': defineDiagnostic<{
    specifier: string;
    problem: string;
    fix: string;
  }>({
    code: 'MCPG835',
    message: ({ specifier, problem }) => `${quoteAsCodeSpan(specifier)} ${problem}.`,
    hint: ({ fix }) => fix,
  }),
};

export const argumentDiagnostics = {
  'parameter-not-usable': defineDiagnostic<{ parameter: string; problem: string; fix?: string }>({
    code: 'MCPG822',
    message: ({ parameter, problem }) => `The parameter ${parameter} cannot be an argument: ${problem}.`,
    hint: ({ fix = 'Give each parameter its own name (patterns by `@param`), or use a single object.' }) =>
      fix,
  }),
  'choice-at-top': defineDiagnostic<{ tool: string; keyword: string }>({
    code: 'MCPG825',
    severity: 'info',
    message: ({ tool, keyword }) =>
      `The input schema of ${tool} has ${keyword} at its root, from \`@schema\`. Some model APIs refuse this.`,
  }),
};
