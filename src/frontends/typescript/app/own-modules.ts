/** Resolves module specifiers, and finds the user's own files among them. */
import { ts } from 'ts-morph';
import type { SourceProgram } from '../program/source-program.ts';

export interface FoundModule {
  fileName: string | undefined;
  own: ts.SourceFile | undefined;
}

export class OwnModules {
  readonly #options: ts.CompilerOptions;
  readonly #program: ts.Program;
  readonly #own: ReadonlyMap<string, ts.SourceFile>;
  readonly #cache: ts.ModuleResolutionCache;

  constructor({ program, userFiles }: SourceProgram) {
    this.#program = program;
    this.#options = program.getCompilerOptions();
    this.#own = new Map(userFiles.map((file) => [file.fileName, file]));
    this.#cache = ts.createModuleResolutionCache('/', (name) => name, this.#options);
  }

  find(literal: ts.StringLiteralLike): FoundModule {
    const file = literal.getSourceFile();
    const mode = this.#program.getModeForUsageLocation(file, literal);
    const { resolvedModule } = ts.resolveModuleName(
      literal.text,
      file.fileName,
      this.#options,
      ts.sys,
      this.#cache,
      undefined,
      mode,
    );
    const fileName = resolvedModule?.resolvedFileName;
    return { fileName, own: fileName === undefined ? undefined : this.#own.get(fileName) };
  }

  referred(file: ts.SourceFile, { fileName }: ts.FileReference): ts.SourceFile | undefined {
    return this.#own.get(ts.resolveTripleslashReference(fileName, file.fileName));
  }
}
