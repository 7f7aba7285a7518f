/** MCPG5xx: writing a project, and its user's own files. */
import { editDiagnostics } from './write/edits.ts';
import { handlerDiagnostics } from './write/handlers.ts';
import { hookDiagnostics } from './write/hooks.ts';
import { lockDiagnostics } from './write/locks.ts';
import { mergeDiagnostics } from './write/merges.ts';
import { originDiagnostics } from './write/origins.ts';
import { overlayDiagnostics } from './write/overlays.ts';
import { runDiagnostics } from './write/runs.ts';
import { targetDiagnostics } from './write/target.ts';
import { templateDiagnostics } from './write/templates.ts';

export const writeDiagnostics = {
  ...targetDiagnostics,
  ...runDiagnostics,
  ...editDiagnostics,
  ...lockDiagnostics,
  ...originDiagnostics,
  ...mergeDiagnostics,
  ...handlerDiagnostics,
  ...templateDiagnostics,
  ...overlayDiagnostics,
  ...hookDiagnostics,
};
