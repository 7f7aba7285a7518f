// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** RFC 6570 templates. Loading the module registers it with `contract/patterns.ts`. */
import { matchUriTemplate } from './match.ts';
import { registerTemplateReader } from '../contract/patterns.ts';
import { expandUriTemplate, parseUriTemplate } from './uri-template.ts';

registerTemplateReader({ match: matchUriTemplate, expand: expandUriTemplate, parse: parseUriTemplate });

export { matchUriTemplate, expandUriTemplate, parseUriTemplate };
export { UriTemplateError } from '../contract/patterns.ts';
export type { Expression, Literal, UriTemplate } from './uri-template.ts';
