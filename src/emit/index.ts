/** ServerModel → the files of an emitted project, as values in memory. Nothing here writes. */
export { isSafePath } from './generated-file.ts';
export { pathOfBuild } from './code-files.ts';
export { WRITTEN_ONCE, canEmit, isReserved } from './emitted-paths.ts';
export { CONFIG_PATH, type EmitOptions, type HandlerCode, type Provenance } from './emit-options.ts';
export { findManifestProblem } from './data-problem.ts';
export { emitProject } from './emit-project.ts';
export type { GeneratedFile } from './generated-file.ts';
export { chooseFeatures, listIdleFeatures } from './features.ts';
export { hashBytes, hashContents, hashTokens, isHashOf, isHashOfBytes } from './hash.ts';
export {
  isUneditedLock,
  type Lock,
  allFileHashes,
  lockFormat,
  hashLock,
  lockPath,
  packagePath,
  parseLock,
  addManifestEntries,
  addOwnedToLock,
  printUnfinishedLock,
  readLockedDecisions,
} from './lock.ts';
export { mapNamesByOperation, listOperationIds, toLockedNames } from './lock-entries.ts';
export { BINDINGS, hashOrigins, readKnownOrigins } from './lock-entries.ts';
export { cutInputForListing } from '../derive/schema/cut-schema.ts';
export { toListedSchema } from '../derive/schema/listed-schema.ts';
export { isInManifest, manifestPath } from './runtime-files.ts';
export { findReservedHelperName, type UserHelpers } from './templates/helpers.ts';
export { type Transpiled, transpile } from '../util/transpile.ts';
export { mitLicense } from './prose.ts';
