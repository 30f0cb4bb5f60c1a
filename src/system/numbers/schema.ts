import * as z from 'zod/mini';
import { LAST_TIME, MAX_RATE } from '../time/clock.ts';
import { LAST_PID, LAST_SECOND, MAX_TIMER_MS } from './bounds.ts';

z.config({ jitless: true });

/** Unix milliseconds that a `Date` can hold. */
export const time = z.number().check(z.nonnegative(), z.lte(LAST_TIME));

/** Unix seconds that a `Date` can hold. */
export const second = z.number().check(z.nonnegative(), z.lte(LAST_SECOND));

/** The number of a block, or of things. Exact as a double. */
export const count = z.int().check(z.nonnegative());

/** Milliseconds that a timer can wait. */
export const wait = z.number().check(z.nonnegative(), z.lte(MAX_TIMER_MS));

/** Milliseconds that passed, or that a clock was moved by. */
export const duration = z.number().check(z.nonnegative(), z.lte(LAST_TIME));

/** Speed of a clock beside the wall clock. At 0 it stands. */
export const rate = z.number().check(z.nonnegative(), z.lte(MAX_RATE));

/** The id of a process: 0 and negative ids are groups. */
export const pid = z.int().check(z.gte(1), z.lte(LAST_PID));

/** A TCP or UDP port. */
export const port = z.int().check(z.gte(0), z.lte(65_535));
