import type { Connection } from './connection.ts';
import type { Order, OrderAnswer } from './messages.ts';

/** Orders of a process to its supervisor, and their answers. */
export class Orders {
  readonly #connection: Connection;
  readonly #open = new Map<number, (answer: OrderAnswer) => void>();
  #last = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Sends an order. Resolves with its result. @throws Error if the supervisor refuses, ends or does not answer */
  async send(order: Order): Promise<number> {
    if (!this.#connection.isConnected) throw new Error('the supervisor of this network does not answer');
    const id = ++this.#last;
    const answer = new Promise<OrderAnswer>((resolve) => this.#open.set(id, resolve));
    this.#connection.send({ id, ...order });
    const outcome = await answer.finally(() => this.#open.delete(id));
    if ('error' in outcome) throw new Error(outcome.error);
    return outcome.at;
  }

  receive(answer: OrderAnswer): void {
    this.#open.get(answer.id)?.(answer);
  }

  /** Refuses all open orders: the connection has ended. */
  lose(): void {
    for (const [id, answer] of this.#open) answer({ id, error: 'the supervisor ended before the clock was moved' });
  }
}
