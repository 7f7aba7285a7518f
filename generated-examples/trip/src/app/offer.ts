import { ApiError, ToolError, type Context } from '../runtime/index.ts';

interface Connection {
  departure?: string;
  minutes?: number;
}

interface Room {
  hotel: string;
  price: number;
}

/** A connection, and a room where it ends. */
export interface Offer {
  connection: Connection;
  room: Room;
  /** Of all nights, in euros. */
  price: number;
}

/** Where to go, and for how long. */
export interface Wish {
  /** Station to start from, such as `BN`. */
  from: string;
  /** Station to go to. */
  to: string;
  /** The city of that station. */
  city: string;
  /** @minimum 1 */
  nights?: number;
}

/**
 * The first connection, and the cheapest room at its end.
 * @tool find_offer
 * @readOnly
 */
export async function findOffer({ from, to, city, nights = 1 }: Wish, { api }: Context): Promise<Offer> {
  const { rail, hotels } = api;
  try {
    const [[connection], [room]] = await Promise.all([
      rail.findConnections<Connection[]>({ from, to }),
      hotels.findRooms<Room[]>({ city, nights }),
    ]);
    if (connection === undefined || room === undefined) throw new ToolError(`Nothing is free in ${city}.`);
    return { connection, room, price: room.price * nights };
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.status === 404) throw new ToolError(`Nobody knows ${city}.`);
    throw thrown;
  }
}
