/** Faults of messages, kept until the test ends: thrown at once, the code under test might swallow them. */
import { writeJson } from '../../templates/runtime/json-rpc.ts';
import { canaries } from './canaries.ts';
import { checkMessage, type SentMessage } from './message-checks.ts';

const complaints: string[] = [];

/** Judges a message; a wrong one fails the test that is running. */
export function judge(sent: SentMessage): void {
  canaries.hear('a message', writeJson(sent.message) ?? '');
  try {
    checkMessage(sent);
  } catch (thrown) {
    complaints.push(String(thrown));
  }
}

/** Faults so far. A test that wants wrong messages takes them. */
export function takeComplaints(): string[] {
  return complaints.splice(0);
}
