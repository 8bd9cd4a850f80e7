/**
 * The parts of rate-limiter-flexible that are used: its counters in memory and in Redis, each from its own file.
 * @module
 */

declare module "rate-limiter-flexible/lib/RateLimiterMemory.js" {
  export default class RateLimiterMemory {
    constructor(options: { points: number; duration: number; keyPrefix: string });
    consume(
      key: string,
      points: number,
      options: { customDuration: number },
    ): Promise<{ consumedPoints: number; msBeforeNext: number }>;
  }
}

declare module "rate-limiter-flexible/lib/RateLimiterRedis.js" {
  export default class RateLimiterRedis {
    constructor(options: { points: number; duration: number; keyPrefix: string; storeClient: object });
    consume(
      key: string,
      points: number,
      options: { customDuration: number },
    ): Promise<{ consumedPoints: number; msBeforeNext: number }>;
  }
}
