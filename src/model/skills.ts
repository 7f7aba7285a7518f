/** Skills (the extension `io.modelcontextprotocol/skills`): folders of instructions that clients read when a task needs them. */
import type { JsonObject } from '../util/json-schema.ts';

export interface Skills {
  entries: SkillEntry[];
  /** The files of all skills, each once: a skill may be inside another. */
  files: SkillFile[];
}

export interface SkillEntry {
  /** The URI of its `SKILL.md`: `skill://refunds/SKILL.md`. */
  uri: string;
  /** The front matter of that file, with `name` and `description`. */
  frontmatter: JsonObject;
}

export type SkillFile = { uri: string; mimeType: string } & (
  | { text: string }
  /** Base64. */
  | { blob: string }
);

/** Every host accepts a skill within these limits (SEP-2640, "Limits"). */
export const SKILL_LIMITS = { files: 512, bytes: 16 * 1024 * 1024 };

/** A name of the Agent Skills specification, which is the name of the skill's folder too. */
export function isSkillName(name: string): boolean {
  return name.length <= 64 && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name);
}

/** The files of a skill, those of skills inside it too. */
export function filesOfSkill({ uri }: SkillEntry, files: readonly SkillFile[]): SkillFile[] {
  const folder = uri.slice(0, -'SKILL.md'.length);
  return files.filter((file) => file.uri.startsWith(folder));
}
