import { ApiError, type Context, ToolError } from 'mcpgen/runtime';

interface Item {
  name: string;
  count: number;
  wanted: number;
  suppliers: string[];
}

interface Offer {
  price: number;
  pack?: number;
}

export interface Order {
  supplier: string;
  /** @multipleOf 1 */
  count: number;
  /** In euros. */
  price: number;
}

export interface Plan {
  name: string;
  /** Absent if nothing is missing, or nobody sells it. */
  order?: Order;
}

/** The cheapest order of what is missing. */
export function cheapest(missing: number, offers: ReadonlyMap<string, readonly Offer[]>): Order | undefined {
  const orders = [...offers].flatMap(([supplier, theirs]) =>
    theirs.map(({ price, pack = 1 }) => {
      const count = Math.ceil(missing / pack) * pack;
      return { supplier, count, price: count * price };
    }),
  );
  return missing <= 0 ? undefined : orders.toSorted((a, b) => a.price - b.price)[0];
}

/**
 * Says what to order so that an item is full again, and from whom.
 * @tool plan_restock
 * @readOnly
 * @param sku The number of the item.
 */
export async function planRestock(sku: string, { api }: Context): Promise<Plan> {
  const { warehouse } = api;
  const { name, count, wanted, suppliers } = await warehouse
    .getItem<Item>({ sku })
    .catch((thrown: unknown) => {
      if (thrown instanceof ApiError && thrown.status === 404)
        throw new ToolError(`There is no item ${sku}.`);
      throw thrown;
    });
  const offers = await Promise.all(
    suppliers.map(async (id) => [id, await warehouse.listOffers<Offer[]>({ id, sku })] as const),
  );
  const order = cheapest(wanted - count, new Map(offers));
  return order === undefined ? { name } : { name, order };
}
