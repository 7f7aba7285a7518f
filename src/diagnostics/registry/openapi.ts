/** MCPG2xx: what an OpenAPI document says, outside its schemas. */
import { accessDiagnostics } from './openapi/access.ts';
import { bodyDiagnostics } from './openapi/bodies.ts';
import { documentDiagnostics } from './openapi/documents.ts';
import { extensionDiagnostics } from './openapi/extensions.ts';
import { parameterDiagnostics } from './openapi/parameters.ts';

export const openapiDiagnostics = {
  ...documentDiagnostics,
  ...parameterDiagnostics,
  ...bodyDiagnostics,
  ...accessDiagnostics,
  ...extensionDiagnostics,
};
