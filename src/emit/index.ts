/** ServerModel → the files of an emitted project, as values in memory. Nothing here writes. */
export { pathOfBuild } from './code-files.ts';
export { canEmit, isReserved } from './emitted-paths.ts';
export { CONFIG_PATH, type EmitOptions, type HandlerCode, type Provenance } from './emit-options.ts';
export { emitProject } from './emit-project.ts';
export type { GeneratedFile } from './generated-file.ts';
export { chooseFeatures, listIdleFeatures } from './features.ts';
export { hashContents, hashWithoutLayout, isHashOf } from './hash.ts';
export {
  findPackageBase,
  type Lock,
  lockFormat,
  lockPath,
  packagePath,
  parseLock,
  printLock,
  printUnfinishedLock,
  readLockedDecisions,
} from './lock.ts';
export { listNameEntries, mapNamesByOperation, parseNameEntries, readNames } from './lock-entries.ts';
export { BINDINGS, hashOrigins, readKnownOrigins } from './lock-entries.ts';
export { cutInputForListing } from '../derive/schema/cut-schema.ts';
export { toListedSchema } from '../derive/schema/listed-schema.ts';
export { type Transpiled, transpile } from '../util/transpile.ts';
