import type { ts } from 'ts-morph';
import { type Block, readBlock } from '../tags/read-block.ts';

/** Of overloads the one that has the tags, else the first: they stand before what implements them all. */
export function taggedSignature(type: ts.Type, block: Block): ts.Signature | undefined {
  const signatures = type.getCallSignatures();
  return (
    signatures.find(({ declaration }) => declaration && readBlock(declaration) === block) ?? signatures[0]
  );
}
