/**
 * One client, in a process of its own and with its own Node: reads a task from stdin, writes what came of it to the
 * file it names: tools as `listed`, those `typed` with a schema of their results, `results` unless a model made the calls. Packages of others say what they like on stdout.
 */
import { writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

const { out, ...task } = JSON.parse(await text(process.stdin));
try {
  const { drive } = await import(`./drivers/${task.driver}.mjs`);
  writeFileSync(out, JSON.stringify({ driven: await drive(task) }));
} catch (error) {
  writeFileSync(out, JSON.stringify({ error: wordsOf(error) }));
}
// Some leave handles open after they were closed.
process.exit(0);

function wordsOf(error) {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : ` ← ${wordsOf(error.cause)}`;
  return `${error.name}: ${error.message}${cause}`;
}
