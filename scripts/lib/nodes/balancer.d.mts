export interface Counts {
  requests: number;
  refused: number;
  broken: number;
  unserved: number;
}

export class Balancer {
  static open(): Promise<Balancer>;
  readonly url: URL;
  readonly counts: Counts;
  readonly served: number[];
  add(name: string, url: URL): Promise<void>;
  remove(name: string): void;
  close(): Promise<void>;
}
