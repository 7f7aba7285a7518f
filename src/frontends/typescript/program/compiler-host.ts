/** How a program reads files. */
import { ts } from 'ts-morph';
import { builtPart } from './built-part.ts';
import { joinedMembers } from './joined-members.ts';

/** From the disk; the language's own are those of this very compiler. */
export function compilerHost(options: ts.CompilerOptions, cwd: string): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  const declarations = builtPart('language/');
  return {
    ...host,
    getCurrentDirectory: () => cwd,
    getDefaultLibLocation: () => LANGUAGE,
    getDefaultLibFileName: (of) => `${LANGUAGE}${ts.getDefaultLibFileName(of)}`,
    getSourceFile: (file, how, ...rest) => {
      if (!file.startsWith(LANGUAGE)) {
        const given = getSourceFile(file, parsing(file, how), ...rest);
        return given && joinedMembers(given, how);
      }
      const text = ts.sys.readFile(`${declarations}${file.slice(LANGUAGE.length)}`);
      return text === undefined ? undefined : ts.createSourceFile(file, text, withoutDocs(how));
    },
  };
}

/** Where they are said to be, wherever mcpgen is: what is written must not depend on that. */
const LANGUAGE = '/node_modules/typescript/lib/';

type HowToParse = ts.ScriptTarget | ts.CreateSourceFileOptions;

/** The docs of Node's types are many, and few are read: those are found without TypeScript's having parsed them all. */
function parsing(file: string, how: HowToParse): HowToParse {
  return file.includes('/node_modules/@types/node/') ? withoutDocs(how) : how;
}

function withoutDocs(how: HowToParse): ts.CreateSourceFileOptions {
  const options = typeof how === 'object' ? how : { languageVersion: how };
  return { ...options, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };
}
