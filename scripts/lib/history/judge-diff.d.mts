/** Of names by operation, before and now: `was name` of each tool that has another name for the same work. */
export function renamedTools(before: Record<string, string>, now: Record<string, string>): string[];
