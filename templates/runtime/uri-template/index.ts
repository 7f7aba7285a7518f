// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** URI templates as RFC 6570 has them: matching and expansion. Loading the module makes `plain-template.ts` use it. */
import { matchUriTemplate } from './match.ts';
import { useTemplateReader } from './plain-template.ts';
import { expandUriTemplate, parseUriTemplate } from './uri-template.ts';

useTemplateReader({ match: matchUriTemplate, expand: expandUriTemplate, parse: parseUriTemplate });

export { matchUriTemplate, expandUriTemplate, parseUriTemplate };
export { UriTemplateError } from './plain-template.ts';
export type { Expression, Literal, UriTemplate } from './uri-template.ts';
