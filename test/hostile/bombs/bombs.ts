// Documents whose size, depth or references are the attack.
import { bombs as circles } from './circles.ts';
import { bombs as copies } from './copies.ts';
import { bombs as counts } from './counts.ts';
import { bombs as levels } from './levels.ts';
import { bombs as patterns } from './patterns.ts';
import { bombs as references } from './references.ts';
import { bombs as values } from './values.ts';
import type { Bomb } from './parts.ts';
import { bombs as yaml } from './yaml.ts';

/** Most cause no diagnostic, and there is a server. */
export const bombs: Required<Bomb>[] = [
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
