import type { ts } from 'ts-morph';
import type { Block } from '../tags/read-block.ts';

/** An exported function, or a method of an exported class, with a tag that makes something to serve. */
export interface Tagged {
  /** The module that exports it. */
  file: ts.SourceFile;
  /** The export's name, `default` too; of a method, its class's. */
  exportName: string;
  /** The name if no tag gives another. */
  name: string;
  block: Block;
  /** The node that diagnostics point at. */
  at: ts.Node;
  symbol: ts.Symbol;
  /** The function is re-exported from a package, whose types cannot be changed. */
  isLibrary: boolean;
  /** The call that is served: of overloads the tagged one, else the first. */
  signature: ts.Signature;
  /** The class or object of a method. */
  holder?: ts.Symbol;
  /** The member of the export that is called: a method, or a function of a namespace. */
  method?: { name: string; instance?: 'process' | 'session' };
}
