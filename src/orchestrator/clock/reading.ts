/** The network's clock and what moves it. */
export interface ClockReading {
  /** Unix milliseconds. */
  readonly at: number;
  readonly rate: number;
  readonly isPaused: boolean;
  /** A warp under way, with its target in Unix milliseconds. */
  readonly warp?: { readonly to: number };
}

/** A clock that stands until it is released. Nothing else can move it. */
export interface HeldClock {
  /** Unix milliseconds. */
  readonly at: number;
  /** Sets the time at which it stands, also for processes that are started next. */
  set(at: number): void;
  /** Sets the time at which it stands for the processes that run. */
  move(at: number): void;
  /** Lets it run on as before. */
  release(): void;
}
