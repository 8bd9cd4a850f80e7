/**
 * The one part of rate-limiter-flexible that is used: counters in memory, without its adapters for stores.
 * @module
 */

declare module "rate-limiter-flexible/lib/RateLimiterMemory.js" {
  export default class RateLimiterMemory {
    constructor(options: { points: number; duration: number });
    consume(key: string): Promise<unknown>;
  }
}
