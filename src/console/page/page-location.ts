/**
 * The location of the page: `/__proxy__/` under the proxy's mount path.
 * @module
 */

const HERE = /\/__proxy__\/?$/;

/** The proxy's own address, as callers see it. */
export function readBase({ origin, pathname }: Pick<Location, "origin" | "pathname">): string {
  return origin + pathname.replace(HERE, "");
}

/** The address of one of the proxy's own paths, such as `traffic`; `""` is the page itself. */
export function ownAddress(name: string): string {
  return `${readBase(location)}/__proxy__/${name}`;
}
