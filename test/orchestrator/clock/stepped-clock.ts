/** A clock that moves as the network's does: to the next multiple of a block time. Lists its moves in seconds. */
export function steppedClock() {
  let at = 0;
  const moves: number[] = [];
  return {
    moves,
    now: () => at,
    advance(blockTime: number) {
      at = (Math.floor(at / 1000 / blockTime) + 1) * blockTime * 1000;
      moves.push(at / 1000);
    },
  };
}
