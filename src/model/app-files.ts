/** The user's own code, as the project carries it. */
import type { Json } from '../../templates/runtime/schema/json-schema.ts';

export interface AppFiles {
  files: AppFile[];
  /** Packages that the code needs when it runs, with their ranges. */
  dependencies: Record<string, string>;
  /** Packages that it needs to be compiled. */
  devDependencies: Record<string, string>;
  /** Node can run it by leaving types out. */
  isErasable: boolean;
  /** Options of the user's tsconfig.json that the code relies on, or that it is written for. */
  compilerOptions: Record<string, Json>;
}

export interface AppFile {
  /** In the project: `src/app/weather.ts`. */
  path: string;
  contents: string;
  /** Ready to run; absent of a file that holds types alone. */
  built?: { path: string; contents: string };
}
