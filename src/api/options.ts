/** The options of the programmatic API, and the result of a generation: several modules of this folder share them. */
import type { DeriveOptions } from '../derive/index.ts';
import type { Diagnostic } from '../diagnostics/collector.ts';
import type { SourceTexts } from '../diagnostics/locate/text-places.ts';
import type { OpenApiInput } from '../frontends/openapi/index.ts';
import type { Audience } from '../lint/linted-server.ts';
import type { ServerModel } from '../model/server-model.ts';
import type { UserCodeOptions } from '../hooks/user-code.ts';
import type {
  DocumentOptions,
  ProjectFileOptions,
  RunSwitches,
  ServerOptions,
} from '../config/options/option-types.ts';
import type { Permissions } from '../config/options/permissions.ts';
import type { SourceInput } from '../config/options/sources.ts';
import type { PublishTarget } from '../model/published.ts';
import type { FolderOptions } from '../project/existing-project.ts';
import type { Confinement } from '../project/output-permission.ts';
import type { WriteReport } from '../write/index.ts';

export type Stage = 'load' | 'derive' | 'emit' | 'write';

/** The source (`source`: a path, an http(s) URL, or `-` with `stdin`), and how it is compiled. */
export interface CompileOptions
  extends OpenApiInput, DeriveOptions, UserCodeOptions, Omit<DocumentOptions, 'routeMap'>, ServerOptions {
  /** Annotated functions in place of a document; `source` is what messages call them then. */
  typescript?: { files: string[]; tsconfig?: string };
  /** Several sources of one server, in place of a document; `source` is what messages call them then. */
  sources?: SourceInput[];
  /** The project's folder, taken from `cwd`: tools keep the names in its `mcpgen.lock`, and its files are no sources. */
  dir?: string;
  /** The folder that the project is in by its server's name, taken from `cwd`, where `dir` does not say its own. */
  beside?: string;
  /** Called at the start of each step. If it throws, the run ends and rejects with that error. */
  onStage?: (stage: Stage) => void;
}

/** `compile({ document })`: a document without a file. */
export type DocumentCompileOptions = Omit<CompileOptions, 'source'> &
  Required<Pick<CompileOptions, 'document'>>;
/** `lint` checks the rules of these clients, and the budget, beside the words. */
export interface LintOptions extends CompileOptions, Audience {
  /** Most tokens of the list; wins over `budget.listTokens`. */
  maxTokens?: number;
}

export interface GenerateOptions
  extends CompileOptions, Omit<ProjectFileOptions, 'output'>, Omit<RunSwitches, 'rename'>, FolderOptions {
  /** Target folder, taken from `cwd`. Default: `<server name>` in `beside`, or in `cwd` itself. */
  dir?: string;
  /** Targets that the project's configuration gets beside those that it has. Default: none. */
  addTargets?: PublishTarget[];
  /** Features that it gets likewise. */
  addFeatures?: string[];
  /** Keeps a project made `beside` a configuration within its repository or package. Default: the project may be anywhere. */
  confinement?: Confinement;
  /** Called before files of the project in a folder are removed, with their paths. */
  onRemoval?: (dir: string, paths: readonly string[]) => void;
  /** The file `routeMap` was read from; the project's config names it instead of the rules. */
  routeMapFile?: string;
}

export interface Generation {
  /** False after an error; nothing was written then. With `check`, false also when the folder is stale. */
  ok: boolean;
  /** As named in the options, or in the project's config. Absent when that could not be read. */
  source?: string;
  /** The target folder as given or derived; absent when the source could not be read. */
  dir?: string;
  model?: ServerModel;
  /** Absent after an error of the source. */
  report?: WriteReport;
  /** Every problem, in the order found; with `strict`, warnings of the source have become errors. */
  diagnostics: readonly Diagnostic[];
  texts: SourceTexts;
}

/** Members that a project's own config can't hold. */
export type RunOptions = Pick<
  GenerateOptions,
  | 'stdin'
  | 'fetch'
  | 'signal'
  | 'onStage'
  | 'onRemoval'
  | 'addTargets'
  | 'addFeatures'
  | 'limits'
  | 'observer'
  | 'env'
> &
  RunSwitches &
  Permissions & {
    /** Folder of the project, in place of what the configuration says. */
    output?: string;
    /** Name of the server to compile, if the configuration has several. */
    server?: string;
  };

export type ProjectOptions = RunOptions & { cwd?: string };

/** The function that messages name as the caller. */
export type RunCall = 'check' | 'checkAll' | 'regenerate' | 'regenerateAll';

export type DiffSide =
  | { compile: CompileOptions }
  /** The folder of an emitted project, relative to `cwd`. */
  | { project: string }
  | { model: ServerModel };

export interface DiffOptions {
  before: DiffSide;
  after: DiffSide;
  /** Folder that relative paths start from. Default: the process's. */
  cwd?: string;
}
