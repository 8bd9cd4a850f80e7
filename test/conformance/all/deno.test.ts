/**
 * Who is dialled on Deno: in a network namespace, where every address that is dialled is heard.
 * @module
 */
import { conformanceDialling } from "../suites/dialling.ts";

conformanceDialling("deno");
