/** A build without one of its checks. */

/**
 * `files`: what they stand in; a `.json` is a runtime of projects; returns the texts of the files, without it; throws
 * where a text is not there, or not once.
 */
export function withoutCheck(edits, files) {
  const found = new Set();
  const edit = (text) => edits.reduce((next, [from, to]) => replaced(next, from, to, found), text);
  const changed = files.map(([file, text]) => (file.endsWith('.json') ? inRuntime(text, edit) : edit(text)));
  const missing = edits.find(([from]) => !found.has(from));
  if (missing !== undefined) throw new Error(`nowhere is ${missing[0]}`);
  return changed;
}

/** Edits the texts that are in a runtime. */
function inRuntime(text, edit) {
  const runtime = JSON.parse(text);
  const built = runtime.built.map((one) => ({ ...one, contents: edit(one.contents) }));
  return JSON.stringify({ ...runtime, built });
}

function replaced(text, from, to, found) {
  const parts = text.split(from);
  if (parts.length > 2) throw new Error(`${from} is there ${parts.length - 1} times`);
  if (parts.length === 2) found.add(from);
  return parts.join(to);
}
