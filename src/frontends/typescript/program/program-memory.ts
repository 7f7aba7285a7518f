/** What one reading of a program keeps for the next: files that have not changed are not parsed again. */
import { statSync } from 'node:fs';
import { ts } from 'ts-morph';

interface KeptFile {
  stamp: string;
  file: ts.SourceFile;
}

export class ProgramMemory {
  readonly #files = new Map<string, KeptFile>();
  #options = '';
  #program: ts.Program | undefined;

  /** A program of the files as they are now. Other options than the last time: nothing is kept. */
  createProgram(rootNames: string[], options: ts.CompilerOptions, host: ts.CompilerHost): ts.Program {
    const text = JSON.stringify(options);
    if (text !== this.#options) {
      this.#files.clear();
      this.#program = undefined;
      this.#options = text;
    }
    const oldProgram = this.#program;
    this.#program = ts.createProgram({
      rootNames,
      options,
      host: this.#keeping(host),
      ...(oldProgram === undefined ? {} : { oldProgram }),
    });
    return this.#program;
  }

  #keeping(host: ts.CompilerHost): ts.CompilerHost {
    return {
      ...host,
      getSourceFile: (name, how, ...rest) => {
        const stamp = `${stampOf(name)} ${JSON.stringify(how)}`;
        const kept = this.#files.get(name);
        if (kept?.stamp === stamp) return kept.file;
        const file = host.getSourceFile(name, how, ...rest);
        if (file === undefined) this.#files.delete(name);
        else this.#files.set(name, { stamp, file });
        return file;
      },
    };
  }
}

/** The language's own files are on no disk, and never change. */
function stampOf(name: string): string {
  try {
    const { mtimeNs, size, ino } = statSync(name, { bigint: true });
    return `${mtimeNs} ${size} ${ino}`;
  } catch {
    return '';
  }
}
