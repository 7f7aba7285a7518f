/** Two versions of a document, absolute paths. */
export interface Versions {
  before: string;
  after: string;
}

export interface Life {
  /** What was not as it has to be; empty when all was. */
  faults: string[];
  /** `kept` to `renamed` count tools, `breaking` and `compatible` what `mcpgen diff` tells, `tests` those of the projects that passed. */
  figures: Record<
    'kept' | 'lost' | 'added' | 'changed' | 'renamed' | 'breaking' | 'compatible' | 'tests',
    number
  >;
}

export interface LifeOptions {
  /** After which of `--keep` and `--force` the project is built too. Default: each. */
  builds?: string[];
  /** Tools that are listed differently and take and give the same values. Default none. */
  alike?: string[];
  /** Of the API, in the project's configuration. Default: the documents' servers. */
  baseUrl?: string | undefined;
}

/** Everything in turn, in an empty `folder`. `renamed` are tools that would have another name without `mcpgen.lock`. */
export function liveThrough(versions: Versions, folder: string, options?: LifeOptions): Promise<Life>;
