export function buildSite(): { lost: { page: string; link: string }[] };
