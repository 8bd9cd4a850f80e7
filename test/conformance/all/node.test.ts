/**
 * Who is dialled on Node: in a network namespace, where every address that is dialled is heard.
 * @module
 */
import { conformanceDialling } from "../suites/dialling.ts";

conformanceDialling("node");
