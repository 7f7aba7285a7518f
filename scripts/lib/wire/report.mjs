/** The result of a judge's run, for people and as JSON. */
import { paint, table } from '../table.mjs';
import { peerName } from './peer.mjs';

/** @type {typeof import('./report.d.mts').summarize} */
export function summarize({ judged, exclusions, unknown, unneeded }, wanted) {
  const unjudged = new Set(exclusions.filter(({ tools }) => tools === '*').map(({ document }) => document));
  const counted = judged.filter(({ document }) => !unjudged.has(document));
  const ours = add(counted);
  const peers = counted.filter(({ peer }) => peer?.calls > 0).map(({ peer }) => peer);
  const faults = [
    ...unknown.map(({ document, tool, sample }) => `${document} ${tool} ${sample}: an unknown miss`),
    ...unneeded.map(({ document, tools }) => `${document} ${tools}: excluded without need`),
  ];
  if (ours.share < wanted.share)
    faults.push(`${percent(ours.share)} valid, less than ${percent(wanted.share)}`);
  if (counted.length < wanted.documents)
    faults.push(`${counted.length} documents, less than ${wanted.documents}`);
  return { documents: counted.length, ours, peer: { documents: peers.length, ...add(peers) }, faults };
}

function add(parts) {
  const sum = (key) => parts.reduce((total, part) => total + key(part), 0);
  const [tools, calls] = [sum((part) => part.tools), sum((part) => part.calls)];
  const valid = calls - sum(({ misses }) => misses.length);
  return { tools, calls, valid, share: calls === 0 ? 0 : valid / calls };
}

/**
 * @param {Awaited<ReturnType<import('./judge-corpus.mjs').judgeCorpus>>} run
 * @param {import('./report.d.mts').Summary} summary
 * @param {boolean} withPeer
 */
export function printRun({ judged, known, unknown }, { documents, ours, peer, faults }, withPeer) {
  console.log(
    table(['document', 'tools', 'calls', 'valid', '', ...(withPeer ? [peerName, ''] : [])], judged.map(row)),
  );
  for (const { document, tool, sample, reason, why } of known)
    console.log(`\n${document} ${tool} ${sample}\n  ${reason.slice(0, 300)}\n  known: ${why}`);
  for (const { document, tool, sample, reason, sent } of unknown)
    console.log(
      `\n${paint('red', '✗')} ${document} ${tool} ${sample}\n  ${sent.slice(0, 300)}\n  ${reason.slice(0, 600)}`,
    );
  console.log(`\nmcpgen: ${words(ours)} of ${ours.tools} tools and ${documents} documents`);
  if (withPeer)
    console.log(
      `${peerName}: ${words(peer)} of ${peer.tools} tools and ${peer.documents} documents, which are all it can do of them`,
    );
  for (const fault of faults) console.log(`${paint('red', '✗')} ${fault}`);
}

function row({ document, peer, ...ours }) {
  return [document, ours.tools, ...figures(ours), ...(peer === undefined ? [] : figures(peer).slice(1))];
}

function figures(part) {
  const { calls, valid, share } = add([part]);
  return [calls, valid, calls === 0 ? (part.failed === undefined ? '' : 'fails') : percent(share)];
}

function words({ calls, valid, share }) {
  return `${valid} of ${calls} requests are valid (${percent(share)})`;
}

/** Cut, never rounded up: 98.99 % must not look like 99. */
export function percent(share) {
  return `${(Math.floor(share * 10_000) / 100).toFixed(2)} %`;
}
