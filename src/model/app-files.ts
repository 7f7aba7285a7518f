/** The user's own code, as it is copied into the project. */
import type { Json } from '../util/json-schema.ts';

export interface AppFiles {
  root: string;
  files: AppFile[];
  /** Packages that the code needs when it runs, with their ranges. */
  dependencies: Record<string, string>;
  /** Packages that the code needs to be compiled. */
  devDependencies: Record<string, string>;
  /** The versions of Node that the code is written for (`engines.node` of each package.json). Default: none. */
  engines?: string[];
  /** Options of the user's tsconfig.json that the code relies on. */
  compilerOptions: Record<string, Json>;
}

export interface AppFile {
  path: string;
  /** The user's file, whose extension may differ. */
  origin: string;
  contents: string;
  /** The user's own files that this file imports, by their paths in the project. */
  imports: string[];
  /** The compiled file; absent if the file contains types only. */
  built?: BuiltAppFile;
  /** A data file that the code reads; `tsc` does not copy it. */
  isAsset?: true;
}

export interface BuiltAppFile {
  path: string;
  contents: string;
  /** The source map of `contents`, if maps were asked for. */
  map?: string;
}

export interface AppOptions {
  maps?: boolean;
  /** The code runs in its original folder, so files that it reads are found there. Default false. */
  inPlace?: boolean;
}
