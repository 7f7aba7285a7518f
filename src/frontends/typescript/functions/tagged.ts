import type { ts } from 'ts-morph';
import type { Block } from '../tags/read-block.ts';

/** An exported function, or method of an exported class, with an item tag. */
export interface Tagged {
  file: ts.SourceFile;
  /** The export's name, or the class's for a method. */
  exportName: string;
  /** The name if no tag gives another. */
  name: string;
  block: Block;
  /** The node that diagnostics point at. */
  at: ts.Node;
  symbol: ts.Symbol;
  /** The function is re-exported from a package, whose types cannot be changed. */
  isLibrary: boolean;
  /** The served signature: the tagged overload, else the first. */
  signature: ts.Signature;
  holder?: ts.Symbol;
  /** The called member: a method, or a function of a namespace. */
  method?: { name: string; instance?: 'process' | 'session' };
}
