/** Documents whose size, depth or references are the attack. */
import { bombs as circles } from './bombs/circles.mjs';
import { bombs as copies } from './bombs/copies.mjs';
import { bombs as counts } from './bombs/counts.mjs';
import { bombs as levels } from './bombs/levels.mjs';
import { bombs as patterns } from './bombs/patterns.mjs';
import { bombs as references } from './bombs/references.mjs';
import { bombs as values } from './bombs/values.mjs';
import { bombs as yaml } from './bombs/yaml.mjs';

/** Most cause no diagnostic, and there is a server. */
export const bombs = [
  ...yaml,
  ...levels,
  ...counts,
  ...circles,
  ...references,
  ...values,
  ...patterns,
  ...copies,
].map((bomb) => ({
  told: [],
  served: true,
  ...bomb,
}));
