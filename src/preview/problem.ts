/** An answer with a status of 400 and above: `{ error: { message, hint } }`. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly hint: string | undefined;

  constructor(status: number, message: string, hint?: string) {
    super(message);
    this.status = status;
    this.hint = hint;
  }
}
