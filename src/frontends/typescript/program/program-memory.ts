/** Unchanged files are not parsed again, and files that no change can affect are not checked again. */
import { ts } from 'ts-morph';
import { versionOfParsedFile } from './compiler-host.ts';
import { setVersion } from './compiler-internals.ts';
import { omitUndefined } from '../../../util/collections.ts';

interface KeptFile {
  stamp: string;
  file: ts.SourceFile;
}

export class ProgramMemory {
  readonly #files = new Map<string, KeptFile>();
  #options = '';
  #program: ts.Program | undefined;
  #checked: ts.SemanticDiagnosticsBuilderProgram | undefined;

  /** Creates a program; other options clear the memory. */
  createProgram(rootNames: string[], options: ts.CompilerOptions, host: ts.CompilerHost): ts.Program {
    const text = JSON.stringify(options);
    if (text !== this.#options) {
      this.#files.clear();
      this.#program = undefined;
      this.#checked = undefined;
      this.#options = text;
    }
    const oldProgram = this.#program;
    this.#program = ts.createProgram({
      rootNames,
      options,
      host: this.#createCachingHost(host),
      ...omitUndefined({ oldProgram }),
    });
    return this.#program;
  }

  /** Finds the faults of a file, which must be free of syntax errors. */
  listFileErrors(file: ts.SourceFile): readonly ts.Diagnostic[] {
    const program = this.#program;
    if (program === undefined) throw new Error('Faults of a program that was not made were asked for.');
    if (this.#checked?.getProgram() !== program) this.#checked = checkProgram(program, this.#checked);
    return this.#checked.getSemanticDiagnostics(file);
  }

  #createCachingHost(host: ts.CompilerHost): ts.CompilerHost {
    return {
      ...host,
      // A new file may change the meaning of an import. Packages only change as a whole.
      hasInvalidatedResolutions: (path) => !path.includes('/node_modules/'),
      getSourceFile: (name, how, ...rest) => {
        const stamp = versionOfParsedFile(name, how);
        const parsedFile = this.#files.get(name);
        if (parsedFile?.stamp === stamp) return parsedFile.file;
        const file = host.getSourceFile(name, how, ...rest);
        if (file === undefined) this.#files.delete(name);
        else this.#files.set(name, { stamp, file: setVersion(file, stamp) });
        return file;
      },
    };
  }
}

function checkProgram(
  program: ts.Program,
  before: ts.SemanticDiagnosticsBuilderProgram | undefined,
): ts.SemanticDiagnosticsBuilderProgram {
  const builder = ts.createSemanticDiagnosticsBuilderProgram(program, ts.sys, before);
  const faults = builder.getSemanticDiagnostics();
  // An error without a file was found while some file was checked first, so the result of a partial check is not
  // reliable.
  const isOfAll = before !== undefined && faults.some(({ file }) => file === undefined);
  return isOfAll ? checkProgram(program, undefined) : builder;
}
