/**
 * Recognises browsers by `Accept`: they prefer HTML when they open an address.
 * @module
 */

/** True if an `Accept` header names `text/html` and prefers nothing else (RFC 9110 §12.5.1). */
export function prefersHtml(accept: string | null): boolean {
  const quality = (type: string) => readQuality(accept ?? "", type);
  return quality("text/html") > quality("application/json") && quality("text/html") >= quality("*/*");
}

function readQuality(accept: string, type: string): number {
  for (const range of accept.toLowerCase().split(",")) {
    const [name = "", ...parameters] = range.split(";").map((part) => part.trim());
    if (name !== type) continue;
    const weight = parameters.find((parameter) => parameter.startsWith("q="));
    return weight ? Number(weight.slice(2)) || 0 : 1;
  }
  return 0;
}
