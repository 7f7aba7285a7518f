/** Documents that are compiled. */
import { refusal, replacement } from '../checks.mjs';

const documents = ['documents'];
const load = (name) => [`dist/src/frontends/openapi/load/${name}.js`];

export const checks = [];
void [refusal, replacement, documents, load];
