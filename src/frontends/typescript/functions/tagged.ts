import type { ts } from 'ts-morph';
import type { Block } from '../tags/read-block.ts';

/** An exported function, or a method of an exported class, with a tag that makes something to serve. */
export interface Tagged {
  /** The module that exports it. */
  file: ts.SourceFile;
  /** The export's name, `default` too; of a method, its class's. */
  exportName: string;
  /** What it is called where no tag says otherwise. */
  name: string;
  block: Block;
  /** What its diagnostics point at. */
  at: ts.Node;
  symbol: ts.Symbol;
  /** It is re-exported from a package, whose types are as they are. */
  isLibrary: boolean;
  /** The call that is served: of overloads the tagged one, else the first. */
  signature: ts.Signature;
  /** The class or object of a method. */
  holder?: ts.Symbol;
  /** The member of the export that is called: a method, or a function of a namespace. */
  method?: { name: string; instance?: 'process' | 'session' };
}
