/**
 * The bill of materials: what is in the package and in the executable files, as CycloneDX, made of that of `npm sbom`.
 * @module
 */

/** A bill as npm writes it, as far as it is read here. */
export interface Bill {
  serialNumber?: string;
  metadata: { timestamp?: string; component: { "bom-ref": string; name: string } };
  components: { "bom-ref": string; name: string; scope?: string; properties?: { name: string }[] }[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

/** Packages for development that are in what is shipped: in the console's page, and in the executable files. */
const SHIPPED = ["fflate", "ioredis", "bun"];
const DEVELOPMENT = "cdx:npm:package:development";

/**
 * Leaves out what is not shipped, and what differs from run to run: the time, a random number, and the folder's name.
 *
 * @param name the name of the package, in place of that of its folder
 */
export function trimBill({ serialNumber: _, ...bill }: Bill, name: string): Bill {
  const { timestamp: __, ...metadata } = bill.metadata;
  const refs = new Set(bill.components.filter(isShipped).map((component) => component["bom-ref"]));
  const edges = new Map(bill.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  // A set is walked in the order in which it grows, so what is added is looked at too. Bun's own are its other platforms.
  for (const ref of refs) if (!ref.startsWith("bun@")) edges.get(ref)?.forEach((other) => refs.add(other));
  const own = metadata.component["bom-ref"];
  const keep = (ref: string) => refs.has(ref);
  return {
    ...bill,
    metadata: { ...metadata, component: { ...metadata.component, name } },
    components: bill.components.filter((component) => keep(component["bom-ref"])).map(dropDevelopment),
    dependencies: bill.dependencies.filter(({ ref }) => ref === own || keep(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(keep) })),
  };
}

function isShipped({ name, properties = [] }: Bill["components"][number]): boolean {
  return SHIPPED.includes(name) || !properties.some((property) => property.name === DEVELOPMENT);
}

/** What is shipped is no longer "for development". */
function dropDevelopment(
  { properties = [], ...component }: Bill["components"][number],
): Bill["components"][number] {
  return { ...component, properties: properties.filter(({ name }) => name !== DEVELOPMENT) };
}
