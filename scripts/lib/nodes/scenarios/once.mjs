/** A state that counts once is taken once, by whichever node comes first. */
import { inParallel } from '../../run.mjs';
import { Faults } from '../callers.mjs';
import { RawModern, describe, isTaken, question } from '../raw-client.mjs';
import { withWorld } from '../fleet.mjs';

const NODES = 3;
const IN_FLIGHT = 8;

export async function once(task) {
  const { figures, size } = task;
  const seen = await withWorld(task, { count: NODES, features: ['redis'] }, async ({ api, fleet }) => {
    const client = new RawModern(fleet.url);
    const urls = fleet.nodes.map(({ url }) => url);
    const faults = new Faults();
    const takes = [];
    const wins = urls.map(() => 0);
    await inParallel(Array.from({ length: size.races }), IN_FLIGHT, async (_, race) => {
      const id = `race ${race}`;
      const more = await question(client, id, urls[race % NODES]);
      if (more === undefined) return takes.push(0);
      const raced = await Promise.all(urls.map((url) => client.call('ask', { id }, more, { url })));
      for (const [node, each] of raced.entries()) {
        if (isTaken(each)) wins[node]++;
        else if (!isUsedUp(each)) faults.add(describe(each));
      }
      takes.push(raced.every((each) => isTaken(each) || isUsedUp(each)) ? raced.filter(isTaken).length : 0);
    });
    const elsewhere = await answerElsewhere(client, urls, size.races);
    return { takes, wins, faults, elsewhere, doubled: api.doubled() };
  });
  const unit = (value) => `${value} of ${size.races}`;
  const right = seen.takes.filter((count) => count === 1).length;
  const what = `states raced by ${NODES} nodes`;
  figures.atLeast({
    what: `${what}: taken once`,
    ours: `taken by ${seen.wins.join(' + ')}`,
    other: String(seen.faults),
    figure: right,
    limit: size.races,
    unit,
  });
  figures.atLeast({
    what: 'answered on another node: taken',
    figure: seen.elsewhere,
    limit: size.races,
    unit,
  });
  figures.atMost({ what: `${what}: effects done twice`, figure: seen.doubled, limit: 0, unit: String });
}

/** The others are refused for this reason alone. */
function isUsedUp({ messages }) {
  const { code, message } = messages.at(-1)?.error ?? {};
  return code === -32_602 && message.includes('used already');
}

async function answerElsewhere(client, urls, count) {
  let taken = 0;
  await inParallel(Array.from({ length: count }), IN_FLIGHT, async (_, index) => {
    const id = `elsewhere ${index}`;
    const more = await question(client, id, urls[index % NODES]);
    if (more === undefined) return;
    const answered = await client.call('ask', { id }, more, { url: urls[(index + 1) % NODES] });
    if (isTaken(answered)) taken++;
  });
  return taken;
}
