/**
 * The caller's address on a Worker: Cloudflare's edge and standalone workerd report it differently.
 * @module
 */

/** A request with the platform's facts in `cf`. Only the platform can set `cf`; no header field can forge it. */
export interface WorkerRequest extends Request {
  /** The platform's facts about the connection; absent in tests. */
  readonly cf?: {
    /** The edge: the name of its data centre. */
    readonly colo?: string;
    /** Standalone workerd: address and port of the peer. */
    readonly clientIp?: string;
  };
}

const PEER = /^\[?([\da-f.:]+?)\]?:\d+$/i;

/**
 * Reads the address; `""` if unknown.
 *
 * Only the edge overwrites the caller's `cf-connecting-ip`; elsewhere anyone could claim any address.
 */
export function readAddress({ cf = {}, headers }: Pick<WorkerRequest, "cf" | "headers">): string {
  if (cf.colo) return headers.get("cf-connecting-ip") ?? "";
  return PEER.exec(cf.clientIp ?? "")?.[1] ?? "";
}
