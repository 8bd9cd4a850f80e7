/**
 * The mount path, for a server that also serves other paths. The rest of the core sees paths without it: it is stripped
 * when a request arrives, and added when a response names a path.
 * @module
 */

const PATH = /^\/(?:[\w.~-]+(?:\/[\w.~-]+)*\/?)?$/;
const ODD_SEGMENT = /\/(?:\.\.?|__proxy__)(?:\/|$)/;

/**
 * Reads a mount path; a slash at its end does not count.
 *
 * @returns `""` for the root, `undefined` for anything but a plain path (one that has only one spelling)
 */
export function parseMountPath(text: string): string | undefined {
  return PATH.test(text) && !ODD_SEGMENT.test(text) ? text.replace(/\/$/, "") : undefined;
}

/**
 * The path after the mount path, with everything that follows; `/proxy?x` is `/?x`.
 *
 * @param path a path on the proxy's origin, from its `/` on
 * @returns `undefined` for a path outside the mount path
 */
export function stripMount(path: string, mountPath: string): string | undefined {
  if (mountPath === "") return path;
  if (!path.startsWith(mountPath)) return undefined;
  const rest = path.slice(mountPath.length);
  return rest.startsWith("/") ? rest : /^(?:[?#]|$)/.test(rest) ? `/${rest}` : undefined;
}
