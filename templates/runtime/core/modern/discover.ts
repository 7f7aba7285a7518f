/** `server/discover`: what `initialize` says to legacy clients, for those who have no session. */
import { MODERN_REVISIONS } from '../../protocol/revisions.ts';
import type { Call, Method } from '../call.ts';
import { capabilitiesFor } from '../capabilities.ts';

export const discover: Method = async ({ server, agreement }: Call) => {
  const { instructions } = server;
  return {
    supportedVersions: [...MODERN_REVISIONS],
    capabilities: await capabilitiesFor(server, agreement.features),
    ...(instructions === undefined ? {} : { instructions }),
  };
};
