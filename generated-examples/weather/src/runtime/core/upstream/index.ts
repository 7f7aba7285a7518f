/** Stands in the place of `index.ts` where a project has no API, and so no part of the runtime that calls one. */
import type { OpenUpstream } from '../../upstream-part.ts';

export const openUpstream: OpenUpstream = () => {
  throw new Error('The server has no API, but a binding calls one.');
};
