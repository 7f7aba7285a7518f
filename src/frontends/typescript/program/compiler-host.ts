import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ts } from 'ts-morph';

import { readStamp } from '../../../util/file-stamp.ts';
import { packageRoot } from '../../../util/version.ts';

export function compilerHost(options: ts.CompilerOptions, cwd: string): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  const declarations = pathOfBuiltPart('language/');
  return {
    ...host,
    getCurrentDirectory: () => cwd,
    getDefaultLibLocation: () => LANGUAGE,
    getDefaultLibFileName: (of) => `${LANGUAGE}${ts.getDefaultLibFileName(of)}`,
    getSourceFile: (file, how, ...rest) => {
      if (file.startsWith(LANGUAGE)) {
        const text = (): string | undefined =>
          ts.sys.readFile(`${declarations}${file.slice(LANGUAGE.length)}`);
        return parseSharedDeclarations(file, how, text);
      }
      if (file.includes(NODE_TYPES)) return parseSharedDeclarations(file, how, () => ts.sys.readFile(file));
      return getSourceFile(file, how, ...rest);
    },
  };
}

/**
 * Declarations of the language and Node are most of a program, so all programs of a process share them, without docs. The
 * version covers everything that a file's tree depends on.
 */
function parseSharedDeclarations(
  file: string,
  how: ts.ScriptTarget | ts.CreateSourceFileOptions,
  read: () => string | undefined,
): ts.SourceFile | undefined {
  const options = typeof how === 'object' ? how : { languageVersion: how };
  const version = `${readStamp(file) ?? ''} ${options.languageVersion} ${options.impliedNodeFormat}`;
  const parsedFile = parsed.get(file);
  if (parsedFile?.version === version) return parsedFile.source;
  const text = read();
  if (text === undefined) return undefined;
  const jsDocParsingMode = ts.JSDocParsingMode.ParseNone;
  const source = ts.createSourceFile(file, text, { ...options, jsDocParsingMode });
  parsed.set(file, { version, source });
  return source;
}

const parsed = new Map<string, { version: string; source: ts.SourceFile }>();

/** A virtual location, so that output does not depend on mcpgen's own place. */
const LANGUAGE = '/node_modules/typescript/lib/';

const NODE_TYPES = '/node_modules/@types/node/';

export function pathOfBuiltPart(path: string): string {
  const place = fileURLToPath(new URL(`dist/${path}`, packageRoot()));
  if (!existsSync(place)) throw new Error('mcpgen is not built: run `npm run build` in it first.');
  return place;
}
