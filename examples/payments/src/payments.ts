import Stripe from 'stripe';
import { ToolError } from 'mcpgen/runtime';

/** `STRIPE_HOST` (`127.0.0.1:12111`) names another server than Stripe's, for tests. */
function openStripe(): Stripe {
  const key = process.env['STRIPE_KEY'];
  if (key === undefined) throw new ToolError('Set STRIPE_KEY to a restricted key of the account.');
  const host = process.env['STRIPE_HOST'];
  if (host === undefined) return new Stripe(key);
  const { hostname, port } = new URL(`http://${host}`);
  return new Stripe(key, { host: hostname, port, protocol: 'http', maxNetworkRetries: 0, telemetry: false });
}

/** What callers see of a customer. */
export type Customer = Pick<Stripe.Customer, 'id' | 'email' | 'created'> & { name?: string | null };

/**
 * Finds customers by their address.
 * @tool find_customers
 * @readOnly
 * @param email @format email
 * @throws {Stripe.errors.StripeError} what Stripe says is for the caller
 */
export async function findCustomers(email: string): Promise<Customer[]> {
  const { data } = await openStripe().customers.list({ email, limit: 10 });
  return data.map(({ id, email: address, name = null, created }) => ({ id, email: address, name, created }));
}

export interface Refund {
  id: string;
  /** In the smallest unit of the currency. */
  amount: number;
  currency: string;
  status: string | null;
}

/**
 * Refunds a payment, all of it or a part.
 * @tool refund_payment
 * @destructive
 * @param payment The id of a payment intent. @pattern ^pi_
 * @param amount In the smallest unit of the currency; default: all that is left. @multipleOf 1 @minimum 1
 * @throws {Stripe.errors.StripeError}
 */
export async function refundPayment(
  payment: string,
  amount?: number,
  reason: 'duplicate' | 'fraudulent' | 'requested_by_customer' = 'requested_by_customer',
): Promise<Refund> {
  const { id, currency, status, ...refund } = await openStripe().refunds.create({
    payment_intent: payment,
    reason,
    ...(amount !== undefined && { amount }),
  });
  return { id, amount: refund.amount, currency, status };
}
