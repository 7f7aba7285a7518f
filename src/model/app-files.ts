/** The user's own code, as the project carries it. */
import type { Json } from '../../templates/runtime/contract/json-schema.ts';

export interface AppFiles {
  /** Where the files stand that `src/app/` is made of: an absolute path. */
  root: string;
  files: AppFile[];
  /** Packages that the code needs when it runs, with their ranges. */
  dependencies: Record<string, string>;
  /** Packages that it needs to be compiled. */
  devDependencies: Record<string, string>;
  /** The versions of Node that it is written for (`engines.node`), of each package.json that says so. Default: none. */
  engines?: string[];
  /** Node can run it by leaving types out. */
  isErasable: boolean;
  /** Options of the user's tsconfig.json that the code relies on, or that it is written for. */
  compilerOptions: Record<string, Json>;
}

export interface AppFile {
  /** In the project: `src/app/weather.ts`. */
  path: string;
  contents: string;
  /** Paths in the project of those of the user's own files that it imports. */
  imports: string[];
  /** Ready to run; absent of a file that holds types alone. */
  built?: BuiltAppFile;
  /** No code: something that code reads, and that `tsc` passes over. */
  isAsset?: true;
}

export interface BuiltAppFile {
  path: string;
  contents: string;
  /** Which place of `contents` comes from which of the user's file (a source map); where asked for. */
  map?: string;
}

export interface AppOptions {
  /** Make source maps too. Default false. */
  maps?: boolean;
  /** The code runs in its original folder, so files that it reads are found there. Default false. */
  inPlace?: boolean;
}
