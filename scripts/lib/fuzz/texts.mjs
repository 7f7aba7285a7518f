/** Values that several targets draw from. */
import fc from 'fast-check';

/** The words of a text, parted by blanks. */
export const words = (text) => text.trim().split(/\s+/);

/** Texts of the words of a language and of anything between them. */
export function textOf(words, maxLength = 12) {
  const part = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...words) },
    fc.string({ unit: 'binary', maxLength: 4 }),
  );
  return fc.array(part, { maxLength }).map((parts) => parts.join(''));
}

/** A list cut into pieces at any places. `cuts` are places, as parts of its length. */
export function pieces(whole, cuts) {
  const places = [
    0,
    ...cuts.map((cut) => Math.floor(cut * whole.length)).sort((a, b) => a - b),
    whole.length,
  ];
  return places.slice(1).map((end, index) => whole.slice(places[index], end));
}

/** Where something is cut. */
export const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 });

/** A value of JSON with the given names and texts among any others. */
export function jsonWith(names, texts) {
  const { value } = fc.letrec((tie) => ({
    scalar: fc.oneof(
      fc.constantFrom(...texts, null, true, false, 0, -1, 1.5, 1e21, 2 ** 53, ''),
      fc.string({ unit: 'binary', maxLength: 5 }),
    ),
    name: fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(...names) },
      fc.constantFrom('__proto__', 'constructor', 'toString', '', '$ref'),
    ),
    value: fc.oneof(
      { maxDepth: 5, depthSize: 'small' },
      tie('scalar'),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.array(fc.tuple(tie('name'), tie('value')), { maxLength: 5 }).map(objectOf),
    ),
  }));
  return value;
}

/** As `JSON.parse` makes it: `__proto__` is a member like others. */
function objectOf(entries) {
  const object = {};
  for (const [name, value] of entries)
    Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true });
  return object;
}
