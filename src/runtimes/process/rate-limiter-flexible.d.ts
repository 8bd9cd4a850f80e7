/**
 * The part of rate-limiter-flexible that is used: its counter in Redis, from its own file.
 * @module
 */

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
