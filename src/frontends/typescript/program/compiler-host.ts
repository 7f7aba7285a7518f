/** How a program reads files. */
import { Project, ts } from 'ts-morph';

/** From the disk; the language's own from ts-morph, which has them within. */
export function compilerHost(options: ts.CompilerOptions, cwd: string): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  const language = new Project({ useInMemoryFileSystem: true }).getModuleResolutionHost();
  const { getSourceFile } = host;
  return {
    ...host,
    getCurrentDirectory: () => cwd,
    getDefaultLibLocation: () => LANGUAGE,
    getDefaultLibFileName: (of) => `${LANGUAGE}/${ts.getDefaultLibFileName(of)}`,
    getSourceFile: (file, how, ...rest) => {
      if (!file.startsWith(`${LANGUAGE}/`)) return getSourceFile(file, parsing(file, how), ...rest);
      const text = language.readFile(file);
      return text === undefined ? undefined : ts.createSourceFile(file, text, withoutDocs(how));
    },
  };
}

/** The folder in which ts-morph says that they are. */
const LANGUAGE = '/node_modules/typescript/lib';

type HowToParse = ts.ScriptTarget | ts.CreateSourceFileOptions;

/** The docs of Node's types are many, and few are read: those are found without TypeScript's having parsed them all. */
function parsing(file: string, how: HowToParse): HowToParse {
  return file.includes('/node_modules/@types/node/') ? withoutDocs(how) : how;
}

function withoutDocs(how: HowToParse): ts.CreateSourceFileOptions {
  const options = typeof how === 'object' ? how : { languageVersion: how };
  return { ...options, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };
}
