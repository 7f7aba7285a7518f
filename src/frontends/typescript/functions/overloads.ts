import type { ts } from 'ts-morph';
import { type Block, readBlock } from '../tags/read-block.ts';

/** Chooses the tagged overload, else the first. Overloads come before the implementation. */
export function taggedSignature(type: ts.Type, block: Block): ts.Signature | undefined {
  const signatures = type.getCallSignatures();
  return (
    signatures.find(({ declaration }) => declaration && readBlock(declaration) === block) ?? signatures[0]
  );
}
