/** `server/discover`: what `initialize` says to legacy clients, for those who have no session. */
import { MODERN_REVISIONS } from '../../protocol/revisions.ts';
import type { Call, Method } from '../call.ts';
import { capabilitiesFor } from '../capabilities.ts';

export const discover: Method = async ({ project, agreement }: Call) => {
  const { instructions } = project;
  return {
    supportedVersions: [...MODERN_REVISIONS],
    capabilities: await capabilitiesFor(project, agreement.features),
    ...(instructions === undefined ? {} : { instructions }),
  };
};
