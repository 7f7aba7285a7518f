/** Which file a specifier stands for, and whether it is one of the user's own. */
import { ts } from 'ts-morph';
import type { SourceProgram } from '../program/source-program.ts';

export interface FoundModule {
  /** Undefined for what is not found. */
  fileName: string | undefined;
  /** Set of a file of the user. */
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

  /** The user's file that a `/// <reference path>` names. */
  referred(file: ts.SourceFile, { fileName }: ts.FileReference): ts.SourceFile | undefined {
    return this.#own.get(ts.resolveTripleslashReference(fileName, file.fileName));
  }
}
