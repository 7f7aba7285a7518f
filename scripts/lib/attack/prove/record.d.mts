// Types for the tests; the words stand in `record.mjs`.
interface Listed {
  family: string;
  rows: { name: string }[];
}

export function readRecord(): Record<string, string>;
export function findUnprovedFamilies(families: Listed[], record: Record<string, string>): string[];
