/** MCPG4xx: decisions about names, arguments, selection and the rest of the tool surface. */
import { derivedBodyDiagnostics } from './derive/bodies.ts';
import { derivedNameDiagnostics } from './derive/names.ts';
import { securityDiagnostics } from './derive/security.ts';
import { selectionDiagnostics } from './derive/selection.ts';

export const deriveDiagnostics = {
  ...derivedNameDiagnostics,
  ...derivedBodyDiagnostics,
  ...selectionDiagnostics,
  ...securityDiagnostics,
};
