/**
 * Access on Deno, in a network namespace, where every dialled address is heard.
 * @module
 */
import { conformanceAccess } from "../suites/access.ts";

conformanceAccess("deno");
