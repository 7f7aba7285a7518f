/** ServerModel → the files of an emitted project, as values in memory. Nothing here writes. */
export { isSafePath } from './claim-paths.ts';
export { builtPath } from './code-files.ts';
export { canEmit, isReserved } from './emitted-paths.ts';
export { commandName } from './command-name.ts';
export type { EmitOptions } from './emit-options.ts';
export { dataProblem } from './data-problem.ts';
export { emitProject } from './emit-project.ts';
export type { GeneratedFile } from './generated-file.ts';
export { hashBytes, hashContents, hashTokens, isHashOf } from './hash.ts';
export {
  isGenuine,
  type Lock,
  lockedFiles,
  lockFormat,
  lockHash,
  lockPath,
  packagePath,
  parseLock,
  type Provenance,
  withManifestText,
  withOwned,
} from './lock.ts';
export { namesByOperation, operationIdsOf, operationKey, rememberedNames } from './lock-names.ts';
export { baseIn, type TakenOver } from './lock-bases.ts';
export { BINDINGS, knownOrigins } from './lock-origins.ts';
export { isListed, manifestPath } from './runtime-manifest.ts';
export { takenName, type UserHelpers } from './templates/user-helpers.ts';
export { type Transpiled, transpile } from '../util/transpile.ts';
