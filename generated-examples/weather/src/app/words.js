/**
 * Joins words.
 * @tool
 * @param {string} first - Comes first.
 * @param {...string} others
 * @returns {string}
 */
export function join(first, ...others) {
  return [first, ...others].join(' ');
}
