/** Reads the files of a program. */
import { ts } from 'ts-morph';
import { stampOf } from '../../../util/file-stamp.ts';
import { builtPart } from './built-part.ts';
import { joinedMembers } from './joined-members.ts';

/** Reads from disk, with the language's declarations of the bundled compiler. */
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
      if (file.startsWith(LANGUAGE)) {
        const text = (): string | undefined =>
          ts.sys.readFile(`${declarations}${file.slice(LANGUAGE.length)}`);
        return parseOnce(file, how, text);
      }
      if (file.includes(NODE_TYPES)) return parseOnce(file, how, () => ts.sys.readFile(file));
      const given = getSourceFile(file, how, ...rest);
      return given && joinedMembers(given, how);
    },
  };
}

/**
 * Declarations of the language and Node are most of a program, so all programs of a process share them. Their docs
 * are parsed only where needed.
 */
function parseOnce(file: string, how: HowToParse, read: () => string | undefined): ts.SourceFile | undefined {
  const version = parsedVersion(file, how);
  const known = parsed.get(file);
  if (known?.version === version) return known.source;
  const text = read();
  if (text === undefined) return undefined;
  const source = ts.createSourceFile(file, text, withoutDocs(how));
  parsed.set(file, { version, source });
  return source;
}

const parsed = new Map<string, { version: string; source: ts.SourceFile }>();

/** All inputs of a file's tree. The language's own files never change. */
export function parsedVersion(file: string, how: HowToParse): string {
  const stamp = stampOf(file) ?? '';
  if (typeof how !== 'object') return `${stamp} ${how}`;
  return `${stamp} ${how.languageVersion} ${how.impliedNodeFormat} ${how.jsDocParsingMode}`;
}

/** A virtual location, so that output does not depend on mcpgen's own place. */
const LANGUAGE = '/node_modules/typescript/lib/';

const NODE_TYPES = '/node_modules/@types/node/';

type HowToParse = ts.ScriptTarget | ts.CreateSourceFileOptions;

function withoutDocs(how: HowToParse): ts.CreateSourceFileOptions {
  const options = typeof how === 'object' ? how : { languageVersion: how };
  return { ...options, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };
}
